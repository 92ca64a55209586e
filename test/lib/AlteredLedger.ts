import type { Command } from "../../engine/ledger/Command.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"

/** A ledger that carries out other commands than it was given, and says that it did as it was told. */
export const altered = (alter: (command: Command) => ReadonlyArray<Command>): Planted => ({
  journal: {
    book: (book) => {
      const apply = book.apply.bind(book)
      book.apply = (commands) => apply(commands.flatMap(alter))
      return book
    }
  }
})

/** A ledger that keeps a unit of every capture. */
export const KEEPS_UNITS = altered((command) =>
  command._tag === "Capture" && command.amount > 1n
    ? [{ ...command, amount: fromUnits(command.amount - 1n) }]
    : [command]
)
