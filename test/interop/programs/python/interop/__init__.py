"""What the Python programs share, whatever version of the SDK they are made with."""
