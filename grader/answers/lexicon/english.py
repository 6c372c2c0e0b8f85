"""What English words mean; entries are parted by commas and may have several words."""

from __future__ import annotations

from typing import Final

from grader.answers.lexicon import meanings as m

VERBS: Final = (
    "move, slide, push, shift, drive, pull, roll, steer, bring, send, swap, step, travel, proceed, advance, reverse"
)
"""Verbs of motion, in all their forms."""

ENGLISH: Final[tuple[tuple[int, str], ...]] = (
    (m.FORWARD,
     "forward, forwards, fwd, fwds, ahead, frontward, frontwards, forwardly, forward direction, straight "
     "ahead, in the forward direction, in a forward direction, in forward direction, straight forward, +1"),
    (m.FORWARD | m.MOVES, "advance, advances, advancing, advanced"),
    (m.BACKWARD,
     "backward, backwards, back, bwd, bkwd, bwds, rearward, rearwards, in reverse, backward direction, in the "
     "backward direction, in a backward direction, in backward direction, in the reverse direction"),
    (m.BACKWARD | m.MOVES, "reverse, reverses, reversing, reversed, back up, backs up, backing up"),
    (m.UP, "up, upward, upwards"),
    (m.DOWN, "down, downward, downwards"),
    (m.LEFT, "left, leftward, leftwards, to the left, towards the left, to left"),
    (m.RIGHT, "right, rightward, rightwards, to the right, towards the right, to right"),
    (m.CLOCKWISE, "clockwise, cw"),
    (m.ANTICLOCKWISE,
     "anticlockwise, counterclockwise, ccw, acw, counter-clockwise, anti-clockwise, counter clockwise, anti "
     "clockwise"),
    (m.VEHICLE | m.OBJECT, "car, cars, vehicle, vehicles, truck, trucks, auto, van, bus, automobile"),
    (m.OBJECT, "block, blocks, object, rectangle"),
    (m.COLOR,
     "blue, green, teal, yellow, orange, purple, magenta, pink, violet, brown, grey, gray, cyan, turquoise, "
     "gold, golden, indigo, lilac, dark, light, bright, colored, coloured, maroon, aqua"),
    (m.RED | m.COLOR, "red, target car, target vehicle, main car, goal car"),
    (m.BLANK,
     "blank, empty, gap, hole, space, empty space, blank space, empty tile, blank tile, empty cell, blank "
     "cell, empty square, blank square, black tile, black square, empty slot, black space, missing tile, zero"),
    (m.TILE, "tile, tiles, piece"),
    (m.PIECE,
     "piece, pieces, label, labels, needed, required, use, using, set, subset, shape, shapes, part, parts"),
    (m.PATTERN, "option, choice, pattern, letter, unfolded, paper, pick, select, choose"),
    (m.HINGE,
     "hinge, hinges, joint, rotate, rotated, rotates, rotating, rotation, rotations, turn, turns, turned, "
     "fold, by, angle, of"),
    (m.DEGREES, "°, deg, degs, degree, degrees"),
    (m.MOVES, "go, goes, going, moving, moved, movement, take, takes, move"),
    (m.MOVES | m.ANSWER, "moves"),
    (m.THEN,
     "then, next, afterwards, afterward, subsequently, finally, lastly, thereafter, after that, followed by, "
     "and then, last, after this, and finally, now"),
    (m.ORDINAL,
     "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, firstly, secondly, thirdly, "
     "1st, 2nd, 3rd, first of all, to begin, to start"),
    (m.AND, "and, &, as well as, plus"),
    (m.FILLER,
     "oh, ah, er, ugh, uh, argh, oof, sorry, "
     "please, simply, just, should, must, needs, need, has, have, will, can, let, let's, its, own, axis, "
     "along, in, order, here, me, ok, okay, following, do, does, direction, shall, be, being, then we, begin, "
     "start, starting, begin with, start with, with, via, right now, right away, right here, left over, left "
     "behind, set up, end up, ends up, come up, look up, write down, break down, down to"),
    (m.WRITER, "i, we, you, i'd, i'll, we'll, you'll, let us"),
    (m.STEP, "step, steps, action, actions, move, number, no, #, turn"),
    (m.TIMES, "times, time, x"),
    (m.TIMES | m.NUMBER, "once, twice, thrice, one time"),
    (m.NUMBER, "one, two, three, four, five, six, seven, eight, nine, ten"),
    (m.AGAIN, "again, once more, one more time"),
    (m.ADVERB,
     "fully, completely, entirely, all the way, as far as possible, as far as it can go, as far as it goes, "
     "straight, as far as it can, to the end, to contact, to the limit, all the way back, along its axis, to "
     "its limit, directly, along its own axis, maximally, to the maximum, one move, in one move, by one move, "
     "one move only, a single move, by a single move, to the stop, until it stops, until contact, until it "
     "stops moving, until blocked, in its direction, out, off, away, slowly, carefully, immediately, up to "
     "contact"),
    (m.BECAUSE,
     "because, since, as, for, so, so that, which, thereby, thus, hence, in order to, in order, allowing, "
     "letting, freeing, clearing, making, giving, opening, leaving, creating, enabling, unblocking, exposing, "
     "where, whereupon, reaching, clears, frees, opens, makes, gives, unblocks, allows, enables, lets, leaves, "
     "creates, exits, reaches, past, getting, it, this, that, these, there, reason, why, effect, result, now, "
     "through, exiting, escaping, out of, avoiding, putting, bringing, returning, placing, into place, "
     "swapping, swaps, to make, to clear, to free, to open, to let, to allow, to get, to give, to create, to "
     "unblock, to exit, to leave, to escape, to reach, to enable, to avoid, to release, to expose, to solve, "
     "to finish, to complete, to bring, to put, to place, to restore, to make room, goal, solved, done, free, "
     "while, when, no longer, blocks, blocking, moving out of, onto, blank swaps, the way, the path, the exit, "
     "the lane, swap, way, path, lane, room, exit, nothing, out of the way, to its, passes, passing, with"),
    (m.UNTIL, "until, till, up to, unto, 'til, to the, towards, toward, towards the, against, into, to"),
    (m.CONTACT,
     "hits the wall, hits a wall, runs into, contact, wall, walls, edge, border, boundary, stop, stops, "
     "stopped, blocked, touches, touch, touching, hits, hit, reaches, reach, obstacle, end, exit, limit, "
     "barrier, bumps, meets, collides, side, lot, parking, opening, gate, goal, bumper, corner, another, next, "
     "further, any more, anymore, anything, something, possible, can't, cannot, no, far, other, impact, comes, "
     "rests, rest, against, curb, out, green, area"),
    (m.CHANGES,
     "halfway, half, partially, partly, partway, slightly, little, bit, only, except, unless, without, "
     "instead, undo, undoes, diagonally, sideways, opposite, repeat, etc, etcetera, midway, quarter, third of, "
     "vice versa, respectively, rather, skip, ignore, swap back, undone, return, returns, inverse, mirrored, "
     "reversed order, almost, nearly, kidding, joke, then back"),
    (m.MAY,
     "can, could, may, might, would, allow, allows, allowing, let, lets, letting, enable, enables, enabling, "
     "able, possible, permit, permits, want, wants, help, helps, prevent, prevents, room for, ready to, free "
     "to, before, unable, cannot, make room"),
    (m.ANSWER,
     "answer, answers, solution, solutions, sequence, plan, result, output, response, guess, conclusion, "
     "order, list, estimate, ans, verdict, suggestion, recommendation, series, route, key, submission, steps, "
     "actions, instructions, decision"),
    (m.FINAL,
     "only possibility, the only possibility, "
     "final, corrected, correct, revised, updated, improved, better, best, right, chosen, choose, chose, "
     "definitive, ultimate, true, valid, actual, optimal, minimal, shortest, go with, going with, settle on, "
     "chosen plan, works, submit, selected, correction"),
    (m.HEDGE,
     "probable, probably, likely, plausible, possible, possibly, perhaps, maybe, approximate, approximately, "
     "approx, tentative, estimated, guess, believe, think, might, may, could, reasonable, sensible, candidate, "
     "suppose, assume, suggested, proposed, certain, sure, potential"),
    (m.OPTION,
     "option, alternative, alternatively, candidate, possibility, choice, variant, either, alternate, maybe, "
     "backup, fallback, otherwise, hypothesis, or else, another, proposal, scenario, could be, might be"),
    (m.OPTIONS,
     "options, alternatives, candidates, possibilities, choices, variants, possible answers, possible "
     "solutions, possible plans, possible sequences, plans, two plans, ideas, either, answers, solutions, "
     "sequences, both, candidate plans, candidate answers, suggestions, hypotheses, proposals, possible moves"),
    (m.TRIED,
     "tried, try, tries, attempt, attempts, attempted, trying, trial, trials, test, tested, testing, idea, "
     "consider, considered, considering, explore, explored, exploring, what if, suppose, experiment, imagine, "
     "say we, guesses"),
    (m.EARLIER,
     "initial, initially, previous, earlier, original, old, draft, naive, former, preliminary, at first, first "
     "thought, first idea, first guess, first try, first attempt, before, prior, so far"),
    (m.QUOTES,
     "example, examples, e.g, such as, template, placeholder, schema, sample, prompt, for instance, like this, "
     "told, looks like, look like, like, asks, asked, instructions say, instructed, structure, specification, "
     "respond with, reply with, should be given as, formatted as, of the form, requested format, required "
     "format, expected format, illustration, in the form, similar, legal moves, possible moves, available "
     "moves, allowed moves, valid moves, blocked moves, illegal moves, impossible moves, can move, legal_moves"),
    (m.FORMAT, "format, formatted"),
    (m.EXPLAINS,
     "explanation, explanations, reason, reasons, reasoning, verification, verify, verifying, check, checks, "
     "checking, note, notes, why, because, justification, trace, walkthrough, simulation, simulating, details, "
     "rationale, remark, comment, breakdown, explained, recap, summary, proof, state, states, positions, "
     "confidence, discussion, observation, observations, analysis, step by step, description, context, info, "
     "count, number, legend, comments, metadata, effect, purpose, length, difficulty, time, score, level, "
     "cost, total, probability, certainty, caveat, caveats, type, task, puzzle, version, language, warning, "
     "warnings, title, author, status"),
    (m.THOUGHT,
     "thought, thoughts, thinking, scratch, scratchpad, scratch work, brainstorm, brainstorming, musings, "
     "monologue, chain of thought, think, cot, reflection, deliberation, draft, rough work, working, "
     "reasoning, analysis"),
    (m.OR, "or, alternatively, or else, or perhaps, or maybe, otherwise, either"),
    (m.NOT,
     "not, never, isn't, aren't, don't, doesn't, didn't, won't, wouldn't, can't, cannot, couldn't, shouldn't, "
     "wasn't, nor, neither, without, hardly, no, none, nothing, fails to, failed to, unable, impossible to, "
     "unlikely, ain't, haven't, hasn't, weren't, avoid, refrain"),
    (m.BAD,
     "wrong, incorrect, incorrectly, invalid, illegal, fails, fail, failed, failing, failure, failures, "
     "mistake, mistaken, error, erroneous, false, impossible, collides, collide, collided, crashes, crash, "
     "crashed, rejected, reject, rejecting, discarded, discard, unsuccessful, infeasible, dead end, dead ends, "
     "leads nowhere, lead nowhere, stuck, useless, bad, unsound, ruled out, excluded, inadmissible, forbidden, "
     "disallowed, inapplicable, unworkable, flawed, broken, bogus, misleading, no good, void, abandoned, "
     "dismissed, disproved, refuted, off the grid, hits the wall, runs into, hits a wall, declined, "
     "eliminated, ✗, disqualified, banned, unusable, blocked off, without success, won't work, nonsense, "
     "superseded, obsolete, withdrawn, retracted, crossed out, struck, skip, avoid, ignore, disregard, forget, "
     "opposite, reverse of, inverse, unsolvable, doomed, lies, lie, disagree, no longer works, backfires, "
     "breaks the rules, against the rules, partial, incomplete, unfinished, by no means, "
     "used to be, anything but, cannot possibly be, can't possibly be, trap, wrongly, unused, leftover, leftovers, "
     "unneeded, are left over, left over"),
    (m.GOOD,
     "right, correct, valid, work, works, working, possible, legal, allowed, solve, solves, succeed, succeeds, "
     "success, feasible, true, acceptable, good, help, helps, helpful, used, usable, reach, reaches, free, "
     "okay, ok, do, use, sufficient, enough, optimal, recommended, viable, permitted, successful, count, "
     "accepted, chosen, selected, final, solved, do this, answer, solution, target, goal, reached, finished"),
    (m.THIS,
     "this, that, it, these, those, above, former, the first, the above, which, they, previous, one, mine"),
    (m.IS,
     "is, are, was, were, be, would be, should be, must be, will be, becomes, reads, goes, equals, as follows, "
     "are as follows, is as follows, would be as follows, looks like this, has to be, read, being, 's"),
    (m.ARTICLE, "the, a, an, my, our, your, one, this, these, following, all"),
    (m.TAKES_BACK,
     "scratch that, take back, takes back, mistaken there, i erred, got that wrong, got it wrong, that was "
     "wrong, misjudged, misspoke, i misspoke, correcting myself, let me revise, revising, scratch this, ignore "
     "that, ignore this, disregard that, disregard this, never mind, nevermind, take it back, take that back, "
     "i take it back, correction, my mistake, i made a mistake, made a mistake, made an error, i was wrong, "
     "oops, whoops, forget that, forget it, strike that, i withdraw, withdraw, retract, i retract, start over, "
     "starting over, try again, let me redo, redo, let me start again, wait no, no wait, that's wrong, on "
     "second thought, on reflection, upon reflection, changed my mind, change my mind, let me correct, let me "
     "fix, rather, i misread, misread, ignore the above, disregard the above, ignore my previous, let me "
     "retry, i meant, just kidding, psych"),
    (m.NO, "no, nope, nah"),
    (m.YES, "yes, indeed, confirmed, correct, verified, good, right, fine, great, ok, okay"),
    (m.BUT, "but, however, yet, though, although"),
    (m.WAY, "direction, dir, way, move, action, to, directions, heading, movement, step, motion"),
    (m.THING,
     "vehicle, car, id, piece, label, block, object, name, hinge, truck, vehicle id, car id, item, which, "
     "target, letter, joint, mover"),
    (m.STATE,
     "before, after, board, grid, position, from, state, effect, result, outcome, blank position, reason, why, "
     "explanation"),
    (m.TO, "to"),
    (m.OTHER, "other, others, another, different, else, any, anything, remaining, rest"),
    (m.CHOOSES,
     "choose, chooses, chose, pick, picks, select, selecting, decide on, opt for, prefer, my choice, i choose, "
     "i pick, i'll go with, go with, going with, i select, i'd go with, i would go with, settle on, i settle, "
     "let's go with, choosing, so it is"),
    (m.TURNS,
     "wait, hold on, hmm, hm, actually, hang on, edit, update, on second thoughts, let me reconsider, "
     "reconsider, reconsidering, erratum"),
    (m.AMENDS,
     "repeat, instead of, undo, skip, swap out, replace, insert, omit, omitted, left out, typo, misprint, "
     "substitute, remove, prepend, append, reorder, has to be moved before, needs to be moved before, "
     "backwards order, in reverse order, minus the, drop the, dropped, unnecessary, superfluous, redundant, "
     "swapped, do this twice, do it twice, do that twice, do this again, add one, add another, add a, one more "
     "move, another move, an additional move, mirrored, mirror image, everything but, all but, continue with, "
     "keep going, none of, anything but, at least, at most"),
    (m.UNSURE,
     "guarantee, guaranteed, sure, certain, verify, verified, confirm, confirmed, prove, proven, promise, "
     "know, claim, say, tell, decide, check, only, unique, shorter, shortest, better, best, faster, easier, "
     "alternative, optimal, minimal, simpler, necessarily, quite, fully, entirely"),
)  # fmt: skip
