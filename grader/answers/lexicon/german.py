"""What words of German mean; as in English. A word that ends with a star stands for all that begin so."""

from __future__ import annotations

from typing import Final

from grader.answers.lexicon import meanings as m

GERMAN: Final[tuple[tuple[int, str], ...]] = (
    (m.FORWARD, "vorwärts, vor, nach vorn, nach vorne, geradeaus"),
    (m.BACKWARD, "rückwärts, zurück, nach hinten"),
    (m.UP, "hoch, oben, nach oben, aufwärts, rauf, hinauf"),
    (m.DOWN, "runter, unten, nach unten, abwärts, hinunter, herunter"),
    (m.LEFT, "links, nach links"),
    (m.RIGHT, "rechts, nach rechts"),
    (m.VEHICLE | m.OBJECT, "wagen, fahrzeug, fahrzeuge, autos, pkw"),
    (m.RED | m.COLOR, "rot, rote, roter, roten, rotes"),
    (m.COLOR, "blau, blaue, blaues, blauen, grün, grüne, grünes, gelb, gelbe, gelbes, lila, orangefarbene"),
    (m.BLANK, "leerfeld, lücke, leere feld, leeres feld, das leere feld"),
    (m.TILE, "kachel, stein, plättchen"),
    (m.MOVES,
     "bewege, bewegen, bewegt, fahre, fahren, fährt, schiebe, schieben, schiebt, verschiebe, ziehe, setze, "
     "dann fährt"),
    (m.THEN, "dann, danach, anschließend, zuletzt, schließlich, daraufhin, abschließend"),
    (m.ORDINAL, "zuerst, erstens, zweitens, drittens, zunächst"),
    (m.AND, "und"),
    (m.FILLER, "bitte, wird, soll, muss, sich, auto, nach"),
    (m.STEP, "schritt, schritte, zug"),
    (m.TIMES | m.NUMBER, "einmal, zweimal, dreimal"),
    (m.AGAIN, "nochmal, erneut, noch einmal"),
    (m.BECAUSE, "weil, damit, um, sodass, da, denn, wodurch"),
    (m.UNTIL, "bis, zum, zur, bis zum, bis zur"),
    (m.ADVERB,
     "so weit wie möglich, bis zum anschlag, bis es nicht weiter geht, ganz, bis zum ende, vollständig, zum "
     "ausgang, aus dem parkplatz"),
    (m.CONTACT, "ausgang, ausfahrt, wand, anschlag, rand, kontakt, ende, hindernis"),
    (m.CHANGES, "halb, halbwegs, teilweise, außer, ohne, statt, nur, bisschen, feld, felder, diagonal, seitwärts"),
    (m.ANSWER,
     "antwort, lösung, reihenfolge, zugfolge, züge, ergebnis, sequenz, plan, schrittfolge, abfolge, "
     "lösungsweg, pläne, zugplan, weg"),
    (m.FINAL, "endgültige, finale, richtige, korrekte, korrigierte, kürzeste"),
    (m.HEDGE,
     "vermutung, schätzung, tipp, denke, glaube, beste, wahrscheinlich, vermutlich, vielleicht, mögliche, "
     "möglicherweise"),
    (m.OPTION, "möglichkeit, variante, entweder"),
    (m.OPTIONS, "möglichkeiten, varianten, optionen, antworten, lösungen, mögliche antworten, mögliche lösungen"),
    (m.TRIED, "versuch, versuche, versucht, probiert, ausprobiert, versuch*, probier*"),
    (m.EARLIER, "ursprüngliche, frühere, vorherige"),
    (m.QUOTES, "beispiel, zum beispiel, vorlage, beispielsweise"),
    (m.FORMAT, "formats"),
    (m.EXPLAINS, "erklärung, begründung, hinweis, überprüfung, anmerkung, bemerkung, prüfung"),
    (m.THOUGHT, "überlegung, gedanken, überlegungen, gedankengang"),
    (m.OR, "oder, beziehungsweise, bzw"),
    (m.NOT, "nicht, kein, keine, keinen, nie, niemals, keinesfalls"),
    (m.BAD,
     "falsch, falsche, falscher, ungültig, ungültige, unmöglich, fehler, fehlerhaft, scheitert, verworfen, "
     "abgelehnt, gescheitert, falsch*, ungültig*, unmöglich*, fehlerhaft*, gescheitert*, scheiter*, "
     "verworfen*, abgelehnt*, unzulässig*, misslung*, fehlgeschlagen*, unbrauchbar*, irrtum, irrig*"),
    (m.THIS, "oben, obige, obiger, obigen, vorige, vorheriger, das, dies, diese, dieser, es"),
    (m.GOOD,
     "richtig*, korrekt*, funktionier*, gültig*, möglich*, erlaubt*, stimmt, stimmig, geht, klappt, zulässig*, "
     "nutzt, nützt, verwenden, benutzen, nehmen, brauchbar*, funktioniert, möglich, gültig, erlaubt, lösung, "
     "antwort, löst"),
    (m.IS, "ist, sind, lautet, wäre, lauten, lautet wie folgt"),
    (m.ARTICLE, "der, die, das, den, dem, ein, eine, meine, mein, unsere, deine"),
    (m.TAKES_BACK,
     "korrektur, vergiss das, ich nehme das zurück, mein fehler, halt nein, moment nein, doch nicht, geirrt, "
     "mich geirrt, vertan, versehen, zurücknehmen, nehme zurück, berichtigung"),
    (m.CHOOSES, "wähle, entscheide mich für, nehme, ich wähle, meine wahl"),
    (m.OTHER, "andere, anderer, anderes, sonst, übrige"),
    (m.NO, "nein"),
    (m.YES, "ja, stimmt"),
    (m.BUT, "aber, jedoch"),
)  # fmt: skip
