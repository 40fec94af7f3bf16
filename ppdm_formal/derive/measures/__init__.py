"""Measures of what an operator discloses, one small file each, all derived from views alone.

Each public function takes an operator (and a prior where the measure needs one) and returns
a frozen result: the value, which is exact, enclosed or infinite, and its witness, the output
and the inputs that attain it. Closed forms in free parameters hold inside the parameters'
intervals, save at isolated points where a likelihood vanishes.
"""
