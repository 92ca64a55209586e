import { Effect } from "effect"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { OrderState } from "../../engine/arena/Order.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import type { Book } from "../../engine/ledger/Book.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { SimulatedJournal } from "../../engine/simulation/SimulatedJournal.ts"
import type { OrderBehavior } from "../../engine/simulation/SimulatedArena.ts"
import { simulatedKeys } from "../../engine/simulation/SimulationHashing.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import { altered, KEEPS_UNITS } from "./AlteredLedger.ts"
import { environment } from "./Simulations.ts"

/** A ledger that pays whoever is far short of what a hold needs. */
const generous = (book: Book): Book => {
  const available = book.available.bind(book)
  book.available = (id) => fromUnits(available(id) + (id.startsWith("usr_") ? 100_000_000n : 0n))
  return book
}

/** A journal that changes what actors decided before it is written. */
export const rewriting = (rewrite: (event: PlatformEvent) => PlatformEvent): Planted => ({
  journal: {
    batch: (batch) => ({
      ...batch,
      entries: batch.entries.map((entry) => ({ ...entry, event: rewrite(entry.event) }))
    })
  }
})

/** A journal that does something to what it has after each commit. */
const tampering = (committed: (journal: SimulatedJournal, commits: number) => void): Planted => ({
  journal: { committed }
})

const behaving = (behavior: (given: OrderBehavior) => Partial<OrderBehavior>): Planted => ({
  behavior: (given) => ({ ...given, ...behavior(given) })
})

/** Keeps what an actor knew when it failed. */
const keepsState = (given: OrderBehavior): Partial<OrderBehavior> => {
  const kept = new Map<string, OrderState>()
  return {
    start: (id) => {
      const state = kept.get(id)
      return state !== undefined
        ? Effect.succeed({ _tag: "Ready", state })
        : Effect.map(given.start(id), (started) => {
            if (started._tag === "Ready") kept.set(id, started.state)
            return started
          })
    }
  }
}

/** An order whose actor knows other terms than were opened. */
const mistaking = (change: (terms: OrderTerms) => OrderTerms): Planted =>
  behaving(({ start }) => ({
    start: (id) =>
      Effect.map(start(id), (started) =>
        started._tag === "Ready"
          ? { ...started, state: { ...started.state, terms: change(started.state.terms) } }
          : started
      )
  }))

/** Answers with what it expects to be recorded, before it is. */
const answersEarly: Planted = {
  append: (journal) => (batch) =>
    Effect.sync(() => {
      journal.enter(batch)
      return batch.entries.map(({ event }, index) => ({
        _tag: "Accepted",
        recorded: {
          seq: journal.lastSeq + 1 + index,
          stream: batch.stream,
          version: (batch.version ?? 0) + 1 + index,
          event,
          hash: ""
        }
      }))
    })
}

const { tieHash } = simulatedKeys(environment.hashing.link, 0)

/** The same order of hashes backwards. */
const inverted = (hex: string): string =>
  Array.from(hex, (digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join("")

const chosen = (change: (event: ArenaEvent & { _tag: "WinnerChosen" }) => ArenaEvent) => (event: PlatformEvent) =>
  event._tag === "WinnerChosen" ? change(event) : event

/** Faults of the program itself, by the part that has them. The auditor must find each of them. */
export const PLANTED_BUGS: Readonly<Record<string, Readonly<Record<string, Planted>>>> = {
  ledger: {
    "keeps a unit of every capture": KEEPS_UNITS,
    "does not release what a loser held for its machine": altered((command) =>
      command._tag === "Release" && command.hold.startsWith("allowance/") ? [] : [command]
    ),
    "lends what a wallet lacks": { journal: { book: generous } },
    "pays no yield": altered((command) => (command._tag === "Cover" ? [] : [command]))
  },
  winner: {
    "breaks ties by the greatest hash": {
      tieHash: (key, owner) => inverted(tieHash(key, owner))
    },
    "clears at the reference": rewriting(
      chosen(({ choice, ...event }) => ({
        ...event,
        choice: { ...choice, clearingPrice: choice.clearingPrice === null ? null : choice.reference }
      }))
    ),
    "does not let bids float": mistaking((terms) => {
      const { makerDiscount: _, ...older } = terms
      return older
    }),
    "forgets the maker's discount": mistaking((terms) =>
      terms.makerDiscount === undefined ? terms : { ...terms, makerDiscount: fromUnits(0n) }
    ),
    "takes another reading of the 3/4 rule": { rule: "turnout" }
  },
  supervision: {
    "keeps the state of an actor that failed": behaving(keepsState),
    "answers before the commit": answersEarly
  },
  journal: {
    "loses an event": tampering((journal, commits) => {
      const [before] = journal.events.slice(-2)
      if (commits % 40 === 0 && before !== undefined) journal.events.splice(-1, 1, before)
    }),
    "exchanges two events": tampering((journal, commits) => {
      if (commits === 30) journal.events.splice(-2, 2, ...journal.events.slice(-2).toReversed())
    }),
    "forgets the answers that it keeps": {
      journal: {
        keys: (given) => ({ ...given, isSurelyNew: () => true }),
        committed: (journal) => journal.answers.clear()
      }
    }
  }
}
