"""Who may call, as whom, and over what: certificates, tokens, names of clients."""
