import { Context, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { format, type Amount } from "../../engine/money/Amount.ts"
import { SCOPES } from "../../src/api/Authorization.ts"
import * as App from "../../src/App.ts"
import { Settings } from "../../src/Config.ts"
import { ArenaAgent } from "../../src/arena/ArenaAgent.ts"
import { HttpServer } from "../../src/http/HttpServer.ts"
import { AccessTokens, FIRST_PARTY } from "../../src/identity/tokens/AccessTokens.ts"
import * as TestRuntime from "./TestRuntime.ts"
import { Owners } from "../../src/identity/users/Owners.ts"
import type { User } from "../../src/identity/users/User.ts"
import { Users } from "../../src/identity/users/Users.ts"
import * as BoundedClient from "../../src/database/BoundedClient.ts"
import { WriterTerm } from "../../src/database/WriterTerm.ts"
import { type Answer, ask } from "./Requests.ts"
import { cheapHashes } from "./CheapHashes.ts"
import { quiet } from "./Quiet.ts"
import { copyOf, lastingDatabase, type TestDatabase, testDatabase } from "./TestDatabase.ts"
import { TestWorld } from "./TestWorld.ts"

/** An access token is asked for again after this long. */
const TOKEN_LIFE = 25 * 60_000

export type Variables = Readonly<Record<string, string>>

/** Settings by which the first start on a database makes what is there from then on: the administrator, the sandbox. */
const FIRST_START: ReadonlyArray<string> = ["ADMIN_EMAIL", "ADMIN_PASSWORD", "APP_MODE", "SECRET_KEY"]

/** What a server runs on. */
interface Place {
  readonly world: TestWorld
  readonly database: TestDatabase
  readonly runtime: typeof TestRuntime.layer
}

/** The whole program without what runs by itself, in a world of the test's own. */
const application = ({ database, runtime, world }: Place, variables: Variables) =>
  App.server.pipe(
    Layer.provide(runtime),
    Layer.provideMerge(App.services),
    Layer.provideMerge(world.oracles),
    Layer.provideMerge(WriterTerm.layer),
    Layer.provideMerge(database.client ?? BoundedClient.layer(BoundedClient.make(database.config))),
    Layer.provideMerge(Settings.layerOf({ PORT: "0", RATE_LIMITS: "off", SANDBOX_TRADERS: "0", ...variables })),
    Layer.provideMerge(Layer.mergeAll(world.clock, quiet, cheapHashes))
  )

type Application = Layer.Success<ReturnType<typeof application>>

/** What a request may carry beside its body. */
export interface RequestOptions {
  /** Whose token it carries; none by default. */
  readonly as?: string | undefined
  /** Its `Idempotency-Key`. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface Running {
  readonly context: Context.Context<Application>
  readonly scope: Scope.Closeable
}

/** The application on a real port and a database of its own. Nothing happens in it but what the test does. */
export class TestServer {
  readonly world: TestWorld
  readonly #place: Place
  readonly #variables: Variables
  readonly #tokens = new Map<string, { readonly token: string; readonly at: number }>()
  #running: Running
  #users = 0

  private constructor(place: Place, variables: Variables, running: Running) {
    this.world = place.world
    this.#place = place
    this.#variables = variables
    this.#running = running
  }

  /**
   * Starts on a database where nothing happened but a server's first start and its end, or nothing at all where the
   * settings say what a first start makes. Stops with the scope.
   */
  static readonly make = (variables: Variables = {}): Effect.Effect<TestServer, never, Scope.Scope> =>
    FIRST_START.some((name) => name in variables)
      ? TestServer.makeFirst(variables)
      : Effect.map(TestServer.#started(variables), ({ server }) => server)

  /** Starts on a database where no server ever did, and stops with the scope. */
  static readonly makeFirst = (variables: Variables = {}): Effect.Effect<TestServer, never, Scope.Scope> =>
    Effect.flatMap(Effect.orDie(testDatabase), (database) => TestServer.makeOn(database, variables))

  /**
   * Plays on a server once in this process, a moment before every world begins. Each who asks goes on where that server
   * ended, on a copy of its database, with what the play gave. A first start is a quarter of what a server costs, an
   * open arena a third.
   */
  static readonly playedOnce = <A>(variables: Variables, play: (server: TestServer) => Effect.Effect<A>) => {
    const begin = Effect.gen(function* () {
      const database = yield* Effect.orDie(lastingDatabase)
      const place = { world: TestWorld.before(), database, runtime: TestRuntime.layer }
      const server = yield* TestServer.#in(place, variables)
      const given = yield* play(server)
      server.world.begin()
      return { server, database, given }
    }).pipe(Effect.scoped, Effect.provide(quiet))
    let played: ReturnType<typeof Effect.runPromise<Effect.Success<typeof begin>, never>> | undefined
    const playing = () => (played ??= Effect.runPromise(begin))
    return Effect.fnUntraced(function* (changed: Variables = variables) {
      const { database, given, server } = yield* Effect.promise(playing)
      return { server: yield* TestServer.goOn(server, yield* Effect.orDie(copyOf(database)), changed), given }
    })
  }

  static readonly #started = TestServer.playedOnce({}, () => Effect.void)

  /** Starts on a database that is migrated, and stops with the scope. */
  static readonly makeOn = (
    database: TestDatabase,
    variables: Variables = {},
    runtime: Place["runtime"] = TestRuntime.layer
  ): Effect.Effect<TestServer, never, Scope.Scope> =>
    Effect.gen(function* () {
      const place = { world: new TestWorld(), database, runtime }
      return yield* TestServer.#in(place, variables)
    })

  /** Goes on where a server ended, on a copy of what its database had then, in a copy of its world. */
  static readonly goOn = (
    ended: TestServer,
    copy: TestDatabase,
    variables: Variables = ended.#variables
  ): Effect.Effect<TestServer, never, Scope.Scope> =>
    Effect.gen(function* () {
      const server = yield* TestServer.#in({ ...ended.#place, world: ended.world.copy(), database: copy }, variables)
      server.#users = ended.#users
      return server
    })

  static readonly #in = (place: Place, variables: Variables): Effect.Effect<TestServer, never, Scope.Scope> =>
    Effect.gen(function* () {
      const server = new TestServer(place, variables, yield* start(place, variables))
      yield* Effect.addFinalizer(() => Scope.close(server.#running.scope, Exit.void))
      return server
    })

  /** A service of the application. */
  service<I extends Application, S>(tag: Context.Key<I, S>): S {
    return Context.getUnsafe(this.#running.context, tag)
  }

  /** Runs an effect inside of the application. */
  run<A, E>(effect: Effect.Effect<A, E, Application>): Effect.Effect<A> {
    return Effect.suspend(() => Effect.orDie(Effect.provideContext(effect, this.#running.context)))
  }

  /** Its database, as another process reaches it. */
  get databaseUrl(): string {
    return this.#place.database.url
  }

  get url(): string {
    return this.service(HttpServer).url
  }

  /** Stops the application and starts it again, with other settings if told, on the same database. */
  restart(variables: Variables = this.#variables): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      yield* Scope.close(this.#running.scope, Exit.void)
      this.#running = yield* start(this.#place, variables)
    })
  }

  /** One round of the agent after so much time has passed. */
  tick(millis = 0): Effect.Effect<void> {
    this.world.pass(millis)
    return this.run(Effect.flatMap(ArenaAgent, ({ tick }) => tick))
  }

  /** A user of its own company, which may be given a wallet's address. */
  user(walletAddress?: string): Effect.Effect<User> {
    this.#users += 1
    const label = `test-${this.#users}`
    return this.run(
      Effect.flatMap(Users, (users) => users.createHouse({ companyName: label, label, kind: "house", walletAddress }))
    )
  }

  /** The first administrator's id. */
  get admin(): Effect.Effect<string> {
    return this.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly id: string }>`SELECT id FROM users WHERE role = 'admin'`
        return row?.id ?? ""
      })
    )
  }

  /** An access token that is valid now. */
  token(userId: string): Effect.Effect<string> {
    return Effect.gen({ self: this }, function* () {
      const kept = this.#tokens.get(userId)
      if (kept !== undefined && this.world.now - kept.at < TOKEN_LIFE) return kept.token
      const owner = yield* Effect.orDie(this.service(Owners).ownerOf(userId))
      const token = yield* this.service(AccessTokens).issue({ owner, clientId: FIRST_PARTY, scopes: SCOPES })
      this.#tokens.set(userId, { token, at: this.world.now })
      return token
    })
  }

  /** Issues every token anew from now on, as after something that ended sign-ins. */
  forgetTokens(): void {
    this.#tokens.clear()
  }

  request<T = unknown>(
    method: string,
    path: string,
    body: unknown,
    { as, headers, key }: RequestOptions
  ): Effect.Effect<Answer<T>> {
    return Effect.gen({ self: this }, function* () {
      const init: RequestInit = {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: `Bearer ${yield* this.token(as)}` }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      }
      return (yield* Effect.promise((signal) => ask(this.url, path, { signal, ...init }))) as Answer<T>
    })
  }

  get<T = unknown>(path: string, as?: string): Effect.Effect<Answer<T>> {
    return this.request<T>("GET", path, undefined, { as })
  }

  post<T = unknown>(path: string, body: unknown, options: RequestOptions = {}): Effect.Effect<Answer<T>> {
    return this.request<T>("POST", path, body, options)
  }

  /** Adds to the user's own fund of USD. */
  mint(userId: string, amount: Amount, key?: string): Effect.Effect<Answer> {
    return this.post("/v1/funds", { owner: userId, type: "USD", symbol: format(amount) }, { as: userId, key })
  }
}

const start = (place: Place, variables: Variables): Effect.Effect<Running> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithMemoMap(application(place, variables), Layer.makeMemoMapUnsafe(), scope)
    return { context, scope }
  }).pipe(Effect.orDie)
