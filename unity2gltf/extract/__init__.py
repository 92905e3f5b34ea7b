"""Read what Unity stores: files on disk in, plain ``raw`` records in Unity's own words out.

In the order in which things happen: ``walk`` looks at the files, ``roots`` groups them, ``store``, ``bundle``,
``archives`` and ``codecs`` give their bytes, ``serialized`` (with ``cursor``, ``typetable`` and ``trees``) their
metadata, ``typetree``, ``readers`` and ``layout`` their objects; ``assetbundle`` and ``resolve`` follow references.

Then a record a class, by way of ``objects``: ``graph`` reads hierarchies with their ``components`` (``lights`` and
cameras, ``physics``); ``mesh`` and ``clip`` (with ``packed`` vectors and ``bindings``), ``controller`` (with
``blendtree``), ``material`` (with its ``shader``), ``texture``, ``terrain``, ``avatar`` and ``settings`` one object
each. ``names`` gathers the texts that hashes may stand for from ``namesources``, ``paths`` and ``properties``.

A :class:`content.ContentRoot` gives it all, and ``game`` opens them. Only this package and ``sample`` import UnityPy.
"""
