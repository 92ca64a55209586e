import { Effect, Layer, Option, Schedule } from "effect"
import type { Scope } from "effect"
import * as MessageStorage from "effect/cluster/MessageStorage"
import { make as makeRunnerAddress } from "effect/cluster/RunnerAddress"
import { RunnerHealth } from "effect/cluster/RunnerHealth"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Singleton from "effect/cluster/Singleton"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import { addressText, type NodeAddress } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import * as NodeSessions from "../database/NodeSessions.ts"
import { Nodes, type Registered } from "./Nodes.ts"

/** The shard group whose singleton writes. */
const GROUP = "writer"

const config = ({ host, port }: NodeAddress): Layer.Layer<ShardingConfig.ShardingConfig> =>
  ShardingConfig.layer({
    runnerAddress: Option.some(makeRunnerAddress(host, port)),
    availableShardGroups: ["default", GROUP],
    assignedShardGroups: ["default", GROUP],
    shardsPerGroup: 30,
    shardLockExpiration: NodeSessions.EXPIRATION,
    shardLockRefreshInterval: "2 seconds",
    refreshAssignmentsInterval: "100 millis",
    entityMessagePollInterval: "1 second",
    // The nodes' sessions reveal a dead node sooner.
    runnerHealthCheckInterval: "1 hour",
    simulateRemoteSerialization: false
  })

/** The pause before a node tries again to say that it may no longer write. It ends anyway. */
const RESIGN_RETRY = "50 millis"

/** What a node knows about the writer. */
interface Standing {
  /** Whether this node was elected. */
  readonly isElected: boolean
  readonly own: string
  /** The node that wrote last. */
  readonly last: string | undefined
}

/**
 * The nodes as a placement may choose among them. Placement by itself would move the writer to nodes that join. So
 * while it holds its locks, an elected node knows only itself, and while the node that wrote last is there, no other
 * one is chosen.
 */
export const candidates = (
  all: ReadonlyArray<Registered>,
  { isElected, last, own }: Standing
): ReadonlyArray<Registered> => {
  const chosen = isElected ? own : last
  const isChosen = ([{ address }]: Registered): boolean => addressText(address) === chosen
  if (!isElected && !all.some((one) => isChosen(one) && one[1])) return all
  return all.map((one) => [one[0], isChosen(one) && (isElected || one[1])])
}

/**
 * A node that leaves gives up its locks before it says so, all at once: another one that competes for them while they are
 * given up one after another finds some taken, and competes again only a second later.
 */
export const leaving = (
  { release, releaseAll, unregister }: RunnerStorage["Service"],
  isElected: () => boolean
): Pick<RunnerStorage["Service"], "release" | "unregister"> => {
  let isLeft = false
  return {
    release: (...lock) => (isLeft ? Effect.void : release(...lock)),
    unregister: (address) =>
      Effect.suspend(() => {
        isLeft = !isElected()
        return isLeft ? Effect.andThen(Effect.ignore(releaseAll(address)), unregister(address)) : unregister(address)
      })
  }
}

/**
 * The nodes as a node may choose among them until it resigns. Then it chooses nobody, though it ends only later: it would
 * take locks again and keep them until then.
 *
 * @param look - reads them
 */
export const untilResigned = <E>(
  look: Effect.Effect<ReadonlyArray<Registered>, E>,
  isResigned: () => boolean
): Effect.Effect<Array<Registered>, E> => {
  let known: ReadonlyArray<Registered> = []
  const looked = Effect.map(look, (found) => {
    known = found
    return [...found]
  })
  return Effect.suspend(() =>
    isResigned() ? Effect.succeed(known.map(([runner]): Registered => [runner, false])) : looked
  )
}

/** What became of a node in the election. */
interface Candidacy {
  isElected: boolean
  /** It was elected, may no longer write, and is about to end. */
  isResigned: boolean
}

const steady = (candidacy: Candidacy, own: string): Layer.Layer<RunnerStorage, never, RunnerStorage | Nodes> =>
  Layer.effect(
    RunnerStorage,
    Effect.gen(function* () {
      const storage = yield* RunnerStorage
      const { registered, writer } = yield* Nodes
      const isOwn = ([{ address }]: Registered): boolean => addressText(address) === own
      /** A node that has just registered knows itself only from the database. */
      const all = Effect.suspend((): typeof storage.getRunners => {
        const known = registered()
        return known?.some(isOwn) === true ? Effect.succeed([...known]) : storage.getRunners
      })
      const chosen = Effect.map(all, (found) =>
        candidates(found, { isElected: candidacy.isElected, own, last: writer()?.address })
      )
      return RunnerStorage.of({
        ...storage,
        ...leaving(storage, () => candidacy.isElected),
        getRunners: untilResigned(chosen, () => candidacy.isResigned)
      })
    })
  )

const health: Layer.Layer<RunnerHealth, never, Nodes> = Layer.effect(
  RunnerHealth,
  Effect.map(Nodes, ({ isAlive }) =>
    RunnerHealth.of({ isAlive: (address) => Effect.sync(() => isAlive(addressText(address))) })
  )
)

/** The nodes as this one sees them, itself included. */
export const membership = Layer.unwrap(
  Effect.map(Settings, ({ cluster }) =>
    cluster === undefined
      ? (Layer.empty as never)
      : Nodes.layer.pipe(
          Layer.provideMerge(SqlRunnerStorage.layer),
          Layer.provideMerge(Layer.merge(config(cluster.address), NodeSessions.layer))
        )
  )
)

/**
 * What the elected node does, with all that it opens: the node counts as elected until that has ended.
 *
 * @param note - told when it begins, and behind its end where it is interrupted
 */
export const elected = <R>(
  lead: Effect.Effect<void, never, R>,
  note: (isElected: boolean) => void
): Effect.Effect<void, never, Exclude<R, Scope.Scope>> =>
  Effect.suspend(() => {
    note(true)
    return Effect.onInterrupt(Effect.scoped(lead), () => Effect.sync(() => note(false)))
  })

/**
 * Takes part in the election of the node that writes. The nodes send no messages for it: they meet in the database,
 * where each holds its locks.
 *
 * @param lead - what the elected node does, until it is interrupted. It is given what it says where it may no longer write
 *   and ends only later, so that another node is elected at once
 */
export const layer = <R>(own: NodeAddress, lead: (resign: Effect.Effect<void>) => Effect.Effect<void, never, R>) => {
  const candidacy: Candidacy = { isElected: false, isResigned: false }
  const leading = Effect.flatMap(RunnerStorage, ({ unregister }) => {
    // It may have lost its connections while it was stopped.
    const unregistered = unregister(makeRunnerAddress(own.host, own.port)).pipe(
      Effect.retry(Schedule.spaced(RESIGN_RETRY)),
      Effect.ignore,
      Effect.forkDetach
    )
    const resign = Effect.suspend(() => {
      candidacy.isResigned = true
      return Effect.andThen(Effect.logDebug("This node is no candidate any more."), unregistered)
    })
    return elected(lead(resign), (now) => {
      candidacy.isElected = now
    })
  })
  return Singleton.make("writer", leading, { shardGroup: GROUP }).pipe(
    Layer.provide(Sharding.layer),
    Layer.provide(Runners.layerNoop),
    Layer.provideMerge(Layer.mergeAll(MessageStorage.layerNoop, health, steady(candidacy, addressText(own))))
  )
}
