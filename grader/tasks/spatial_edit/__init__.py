"""An object moved, turned, resized or removed, or a view changed: by boxes, and by the background."""
