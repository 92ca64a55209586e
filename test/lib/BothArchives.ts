/** The two archives of a log, in files: older rows of its journal, and sealed days of the arena's history. */

import { expect } from "bun:test"
import { Effect } from "effect"
import { join } from "node:path"
import { HISTORY_FILES } from "../../src/api/ArenaHistory.ts"
import { sealDue } from "../../src/arena/history/HistorySealing.ts"
import * as FolderBackups from "../../src/backup/FolderBackups.ts"
import * as Archiving from "../../src/cli/Archiving.ts"
import { databaseOf } from "../../src/cli/EventLog.ts"
import { archive, settled } from "./ArchivedLog.ts"
import { openedOn, usd } from "./OpenedArena.ts"
import { filesOf } from "./PlantedPerson.ts"
import type { PlayedLog } from "./PlayedLog.ts"
import type { TestServer } from "./TestServer.ts"

/** To the choice of a short slot, its settlement, past the end of the day, and to the end of what that day began, in milliseconds. */
const LIFE_OF_A_DAY = [90_000, 60_000, 87_000_000, 90_000, 60_000]

/** Dollars of a bidder that {@link arenaDay} mints, and leaves it with. */
export const BIDDING = 20n

/** A day of the arena that is over, in which somebody bid and was outbid. The server has the short slots. */
export const arenaDay = Effect.fnUntraced(function* (server: TestServer, bidder: string) {
  const { commit } = yield* openedOn(server)
  yield* server.mint(bidder, usd(BIDDING))
  const bids = [yield* commit({ quantity: 1 }, bidder, "outbid"), yield* commit({})]
  expect(bids.map(({ status, text }) => [status, text.includes("accepted")])).toEqual([
    [200, true],
    [200, true]
  ])
  for (const millis of LIFE_OF_A_DAY) yield* server.tick(millis)
  yield* server.run(sealDue)
  return bids[0]?.json.data.commitment_id ?? ""
})

/** Says that answers to the older half of the journal are kept no more. Nothing else of it waits. */
export const settledHalf = (log: PlayedLog) =>
  Effect.gen(function* () {
    yield* log.sql("UPDATE webhook_cursor SET seq = (SELECT seq FROM projection)")
    yield* log.sql("UPDATE activity_position SET seq = (SELECT seq FROM projection)")
    yield* log.sql(`
      UPDATE journal SET answers = NULL
      WHERE first_seq < (SELECT first_seq FROM journal ORDER BY first_seq OFFSET (SELECT count(*) / 2 FROM journal) LIMIT 1)`)
  })

/** Where an archive of the journal is in a folder of {@link archived}. */
export const journalArchiveIn = (folder: string): string => join(folder, "journal-archive")

/**
 * Archives what may go of the journal, and what is sealed of the arena, into a folder. Answers the texts of both
 * archives' files.
 *
 * @param settling - says of the log what may go
 */
export const archived = Effect.fnUntraced(function* (
  log: PlayedLog,
  folder: string,
  settling: (log: PlayedLog) => Effect.Effect<void> = settled
) {
  const history = join(folder, "history")
  yield* settling(log)
  yield* archive(log, FolderBackups.layer(journalArchiveIn(folder)))
  const report = yield* Effect.orDie(
    Effect.provide(Archiving.archive(history, { from: 0, to: Infinity }, HISTORY_FILES), databaseOf(log.source))
  )
  expect(report.days).toBeGreaterThan(0)
  return { journal: filesOf(journalArchiveIn(folder)), history: filesOf(history) }
})
