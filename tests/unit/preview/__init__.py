"""Pictures of files: each module of the package apart, then all of it in the real renderer."""
