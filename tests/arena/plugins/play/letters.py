"""What people may type: all that a keyboard has, digits of other scripts, wide letters and unseen characters.

Hypothesis' own choice is all of Unicode, for which it first makes tables that take a second and 200 MB.
"""

import string

KEYBOARD = string.ascii_letters + string.digits + string.punctuation + " "
VISIBLE = KEYBOARD + "²٣①éßİſ漢あ한♥😀👩\u0301\u00ad\u200b\u200d\u202e\ufeff\ue000\U0010ffff"
CONTROLS = "\x00\t\r\x1b\x7f\x85\u2028\u2029"
