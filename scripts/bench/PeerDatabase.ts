import { Pool, type PoolClient } from "pg"

/** Where a peer's tables are. */
export interface PeerDatabase {
  /** The socket's folder. */
  readonly host: string
  readonly user: string
  readonly database: string
  readonly connections: number
}

export const openPool = ({ host, user, database, connections }: PeerDatabase): Pool =>
  new Pool({ host, user, database, max: connections, min: connections })

/** A named statement, prepared once a connection. */
export const run = <Row extends object>(
  client: Pool | PoolClient,
  name: string,
  text: string,
  values: ReadonlyArray<unknown>
) => client.query<Row>({ name, text, values: [...values] }).then(({ rows }) => rows)

/** One transaction, undone where anything in it is refused. */
export const inTransaction = async <A>(pool: Pool, body: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await body(client)
    await client.query("COMMIT")
    client.release()
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    client.release()
    throw error
  }
}
