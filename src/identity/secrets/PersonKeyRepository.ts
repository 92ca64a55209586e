import { Context, Effect, Layer } from "effect"
import { texts } from "../../database/ArrayParameter.ts"
import { Direct } from "../../database/BoundedClient.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"

/** The key of a user or company, sealed. */
export interface PersonKey {
  readonly id: string
  readonly box: Uint8Array
}

/** A key as it stands after it was added. */
export interface AddedKey extends PersonKey {
  /** Whether it is kept: none is of who was erased. */
  readonly isKept: boolean
}

/** The keys of people and companies. What is added is durable at once, whatever transaction is open. */
export class PersonKeyRepository extends Context.Service<
  PersonKeyRepository,
  {
    readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PersonKey>, Unavailable>
    /**
     * Adds a key unless there is one, and answers the one that is there. Who was erased gets none: the key that is answered
     * is nowhere, and what is sealed under it can be read by nobody.
     */
    readonly add: (key: PersonKey) => Effect.Effect<AddedKey, Unavailable>
  }
>()("emporion/identity/PersonKeyRepository") {
  static readonly layer: Layer.Layer<PersonKeyRepository, never, Direct> = Layer.effect(
    this,
    Effect.map(Direct, (sql) => {
      const find = (ids: ReadonlyArray<string>) =>
        sql<PersonKey>`SELECT id, sealed_key AS box FROM person_keys WHERE id = ANY(${texts(ids)}::text[])`
      /** An erasure that ended meanwhile was not seen, and has deleted before: it deletes once more when it has ended. */
      const gone = (id: string) =>
        sql`DELETE FROM person_keys USING erasures WHERE person_keys.id = ${id} AND erasures.id = ${id}`
      return PersonKeyRepository.of({
        find: (ids) => unavailableOrDie(find(ids)),
        add: ({ box, id }) =>
          sql`
            INSERT INTO person_keys (id, sealed_key) SELECT ${id}, ${box}
            WHERE NOT EXISTS (SELECT FROM erasures WHERE erasures.id = ${id}) ON CONFLICT (id) DO NOTHING`.pipe(
            Effect.andThen(gone(id)),
            Effect.andThen(find([id])),
            Effect.map(([found]) => ({ id, box, ...found, isKept: found !== undefined })),
            unavailableOrDie
          )
      })
    })
  )
}
