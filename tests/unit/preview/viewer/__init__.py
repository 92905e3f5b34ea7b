"""The viewer's server, without a browser."""
