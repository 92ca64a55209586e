import { Context } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Position from "../../engine/journal/TablePosition.ts"

const behind = (message: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) })

/** How far the tables follow the journal. A read of them that waits too long fails like one without a connection. */
export class TablePosition extends Context.Service<TablePosition, Position.TablePosition<SqlError>>()(
  "emporion/database/TablePosition"
) {
  /** Tables that have everything. */
  static readonly make = (): TablePosition["Service"] => new Position.TablePosition(behind)
}
