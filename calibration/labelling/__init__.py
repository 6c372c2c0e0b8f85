"""People's labels are taken here: what is asked, which candidates, by whom, on a page of this machine."""
