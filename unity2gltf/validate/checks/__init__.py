"""The checks of ``structure``, a file each kind of object. All are generators of issues over one item, or over the
document; a :class:`GlbError` that one raises becomes an issue itself and ends that one check of that one item."""
