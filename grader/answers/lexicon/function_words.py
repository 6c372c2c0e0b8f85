"""Small words of all languages that say under what condition, of which, or whose."""

from __future__ import annotations

from typing import Final

from grader.answers.lexicon import meanings as m

FUNCTION_WORDS: Final[tuple[tuple[int, str], ...]] = (
    (m.IF,
     "if, unless, wenn, falls, sofern, si, se, если, 如果, 假如, 要是, 若, もし, もしも, 만약, 만일"),
    (m.WHEN,
     "when, whether, suppose, once, after, before, while, sobald, nachdem, bevor, während, quand, lorsque, "
     "pendant, cuando, mientras, quando, mentre, enquanto, когда, пока, после, прежде"),
    (m.ELSE,
     "otherwise, without, sonst, andernfalls, ohne, sinon, sans, sin, sino, altrimenti, senza, senão, sem, иначе, без, "
     "否则, 否則, さもないと, 아니면"),
    (m.INVERTED,
     "reverse, reversed, opposite, inverse, umgekehrt, umgekehrte, umgekehrten, umgekehrter, entgegengesetzt, inversé, "
     "inversée, inverso, inversa, opposé, opposto, opuesto, oposto, contrario, обратный, "
     "обратном, 相反, 逆, 반대, 역순"),
    (m.INDEFINITE,
     "a, an, any, no, another, other, some, every, each, ein, eine, einen, einer, kein, keine, jede, jeder, andere, "
     "un, une, aucun, aucune, chaque, autre, una, uno, ningún, ninguna, cada, otro, otra, um, uma, nenhum, nenhuma, "
     "outro, outra, nessun, nessuna, ogni, altro, altra, любой, любая, каждый, другой, другая, никакой, "
     "任何, 每, 另, 別の, 他の, 다른, 어떤"),
    (m.CONCLUDES,
     "so, thus, hence, therefore, now, also, daher, deshalb, somit, folglich, donc, ainsi, entonces, quindi, dunque, "
     "portanto, então, итак, значит, поэтому, 因此, 所以, 于是, したがって, だから, 따라서, 그러므로"),
    (m.OWN,
     "my, here, below, final, mein, meine, meiner, hier, ma, mon, mes, voici, mi, mis, aquí, mia, mio, ecco, minha, "
     "meu, мой, моя, моё, вот, 我的, 私の, 제"),
    (m.WOULD, "would, würde, würden, serait, sería, seria, sarebbe, бы"),
    (m.EITHER, "either, entweder, soit, либо, 要么, 要麼"),
    (m.ONE_MOVE,
     "move, step, action, turn, zug, schritt, coup, étape, paso, movimiento, passo, mossa, movimento, ход, шаг, 一步"),
)  # fmt: skip
