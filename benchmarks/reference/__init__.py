"""A plain implementation of the same work, written the way GRB's library does it.

Ours, after the description of the method; no line of GRB's.  It takes scipy adjacencies, normalises
them anew for each cell, multiplies by torch's COO layout, keeps autograd on, and recomputes the
whole graph at every step of an attack.
"""
