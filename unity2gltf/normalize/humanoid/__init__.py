"""Humanoid clips: muscle curves and an Avatar's body to rotations of real bones, without Unity.

``clips.muscles`` names the curves and says which axis of which human bone each turns. ``body`` makes a stored avatar
ready; ``sampling`` reads the curves at given times, ``mirror`` swaps left and right. ``pose`` is the way from muscle
values to bones, a function a step; ``goals`` measures the result against the hands and feet that the clip stores;
``rootmotion`` takes the object's own motion out of the body's; ``frame`` says what bones hang in on a real rig;
``bake`` samples all of that, and ``follow`` makes curves of it.
"""
