"""The form_board task."""
