"""Read what Unity stores: files on disk in, plain ``raw`` records in Unity's own words out.

In the order in which things happen: ``walk`` looks at the files, ``roots`` groups them, ``store``,
``bundle``, ``archives`` and ``codecs`` give their bytes, ``serialized`` and ``trees`` their metadata, ``typetree``,
``readers`` and ``layout`` their objects; ``resolve`` follows references;
``graph`` reads hierarchies, and ``mesh``, ``material``, ``texture``, ``avatar``, ``settings`` and ``names`` the rest.
``game`` is what callers use. Only this package and ``sample`` import UnityPy.
"""
