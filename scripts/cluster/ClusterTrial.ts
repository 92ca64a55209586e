import { Effect } from "effect"
import { join } from "node:path"
import { checkLedgerToNow } from "../../test/lib/LedgerCheck.ts"
import { ClusterFaults, databaseIn } from "./ClusterFaults.ts"
import { type FaultKind, faultPlan, kindOf, type PlannedFault } from "./FaultPlan.ts"
import { type History, type Operation, type Outcome, outcomeOf, type Violation, violationsOf } from "./History.ts"
import { readJournal } from "./JournalEvents.ts"
import { badEnds, type HandedOver, HandOvers, pauses, pauseText } from "./HandOvers.ts"
import { phases, phaseTable } from "./HandOverPhases.ts"
import type { Fault } from "./RecoveryTimes.ts"
import { ROOT } from "./NodeProcess.ts"
import { SmallCluster } from "./SmallCluster.ts"
import { trialAccounts } from "./TrialAccounts.ts"
import { TrialClient, type TrialClock } from "./TrialClient.ts"
import { TrialSubscriber } from "./TrialSubscriber.ts"

const NODES = 3

const CLIENTS = 6

/** Clients that load the node that hands over, and subscribers behind the balancer beside those of each node. */
const HAND_OVER_CLIENTS = 24
const WANDERING = 4

/** How long the cluster has to be whole again before the next fault, in milliseconds. */
const READY_LIMIT = 8_000

/** How long the subscribers have to begin and, at the end, all to be calm, in milliseconds. */
const CALM_LIMIT = 40_000
const POLL = 50

/** At the end one in this many accepted requests is sent again under its key. */
const ACCEPTED_EVERY = 50

export interface TrialOptions {
  /** An absolute folder for the database. */
  readonly folder: string
  /** How long faults are made, in milliseconds. */
  readonly millis: number
  readonly seed: number
  readonly log: (line: string) => void
  /** How long each client waits between two requests, in milliseconds; not at all unless told. */
  readonly pause?: number
  /** The kinds of faults that are made; all of them unless told. */
  readonly only?: ReadonlyArray<FaultKind>
  /** How often, in place of faults, the one node that is there hands over to one that starts beside it. */
  readonly handOvers?: number
  /** The folder of an earlier version, from which the first hand-over takes over. */
  readonly earlier?: string
  /** The folder of a later version, which takes over at each hand-over; this one's unless told. */
  readonly later?: string
}

/** What a trial came to. */
export interface TrialReport {
  readonly faults: ReadonlyArray<Fault & { readonly what: string; readonly count: number }>
  /** In place of faults. */
  readonly handOvers: ReadonlyArray<HandedOver>
  readonly history: History
  /** When the load ended, in milliseconds of the clients' clock. */
  readonly until: number
  /** Every rule that was broken, and what a check of the whole database found. */
  readonly violations: ReadonlyArray<Violation | { readonly rule: string; readonly what: string }>
  /** Reads that were not answered. */
  readonly unread: number
  /** What each node logged, by its name. */
  readonly logs: ReadonlyMap<string, string>
}

const within = async (what: string, limit: number, look: () => boolean): Promise<void> => {
  const end = performance.now() + limit
  while (!look()) {
    if (performance.now() > end) throw new Error(`not within ${limit} ms: ${what}`)
    await Bun.sleep(POLL)
  }
}

/** Runs a command of the program in a folder on the database; a sentence if it fails. */
const commandSays = async (
  program: string,
  database: string,
  ...command: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const [script = "", ...rest] = command
  const child = Bun.spawn(
    [process.execPath, join(program, "scripts", script), ...rest, "--database", database, "--json"],
    {
      env: { PATH: process.env["PATH"] ?? "", TMPDIR: process.env["TMPDIR"] ?? "/tmp" },
      stdio: ["ignore", "pipe", "pipe"]
    }
  )
  const [said, failed, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited
  ])
  return code === 0 ? [] : [`${command.join(" ")} ended with ${code}: ${failed.slice(-2_000)} ${said.slice(0, 2_000)}`]
}

/** What the program's own commands, and a comparison of everything with everything, find in the database. */
const databaseFindings = async (
  cluster: SmallCluster,
  { folder, later = ROOT }: TrialOptions
): Promise<TrialReport["violations"]> => {
  const { violations } = await Effect.runPromise(checkLedgerToNow(databaseIn(folder)))
  const verified = await commandSays(later, cluster.databaseUrl, "emporion.ts", "verify")
  const replayed = await commandSays(later, cluster.databaseUrl, "sim.ts", "replay")
  return [
    ...violations.map((what) => ({ rule: "the ledger adds up, and the tables fit together", what })),
    ...verified.map((what) => ({ rule: "the log verifies", what })),
    ...replayed.map((what) => ({ rule: "a replay gives the tables", what }))
  ]
}

/** A cluster under load, what is done to it, and what all of its clients saw. */
class Trial {
  readonly faults: Array<TrialReport["faults"][number]> = []
  readonly handOvers: Array<HandedOver> = []
  readonly #options: TrialOptions
  readonly #cluster: SmallCluster
  readonly #clients: ReadonlyArray<TrialClient>
  readonly #prober: TrialClient
  readonly #subscribers: ReadonlyArray<TrialSubscriber>
  readonly #clock: TrialClock
  readonly #faults: ClusterFaults
  /** What goes on until its end. */
  readonly #busy: Array<Promise<void>> = []
  #isOver = false

  private constructor(
    options: TrialOptions,
    cluster: SmallCluster,
    accounts: Awaited<ReturnType<typeof trialAccounts>>
  ) {
    const began = performance.now()
    let number = 0
    this.#clock = {
      now: () => performance.now() - began,
      isOver: () => this.#isOver,
      next: () => ++number,
      pause: options.pause ?? 0
    }
    this.#options = options
    this.#cluster = cluster
    this.#faults = new ClusterFaults(cluster, options.folder, this.#clock.now)
    const { url } = cluster.balancer
    const clientOf = (name: string, index: number) =>
      new TrialClient(name, accounts[index % 2 === 0 ? 0 : 1], url, this.#clock)
    const isUpdate = options.handOvers !== undefined
    this.#clients = Array.from({ length: isUpdate ? HAND_OVER_CLIENTS : CLIENTS }, (_, index) =>
      clientOf(`client ${index + 1}`, index)
    )
    this.#prober = clientOf("prober", 0)
    const wandering = Array.from({ length: isUpdate ? WANDERING : 0 }, () => new TrialSubscriber("the balancer", url))
    const bound = cluster.nodes.map(({ place, url: own }) => new TrialSubscriber(place.name, own))
    this.#subscribers = [...bound, ...wandering]
  }

  static async on(options: TrialOptions, cluster: SmallCluster): Promise<Trial> {
    return new Trial(options, cluster, await trialAccounts(cluster.balancer.url, cluster.nodes))
  }

  /** Makes faults or hands over under load until all is done, and judges what everybody saw. */
  async run(): Promise<TrialReport> {
    const { handOvers } = this.#options
    const { nodes } = this.#cluster
    await within("the subscriptions", CALM_LIMIT, () => this.#subscribers.every(({ hasBegun }) => hasBegun))
    for (const [index, client] of this.#clients.entries()) {
      const node = nodes[index % nodes.length]
      this.#busy.push(client.write())
      if (node !== undefined) this.#busy.push(client.read({ name: node.place.name, url: node.url }))
    }
    await (handOvers === undefined ? this.#strike() : this.#handOver(handOvers))
    this.#isOver = true
    await Promise.all(this.#busy)
    return this.#end()
  }

  async #strike(): Promise<void> {
    const { millis, only, seed } = this.#options
    const plan = faultPlan(seed, only)
    while (this.#clock.now() < millis) await this.#fault(plan.next().value)
  }

  async #handOver(times: number): Promise<void> {
    const { later, log } = this.#options
    const updates = await HandOvers.on(this.#cluster, this.#clock.now, later)
    for (let time = 0; time < times; time++) {
      const one = await updates.one()
      this.handOvers.push(one)
      const [pause] = pauses(
        [one],
        this.#clients.flatMap(({ operations }) => operations),
        this.#clock.now()
      )
      log(
        `${(one.at / 1_000).toFixed(1)} s: ${one.from} hands over to ${one.to}, and ends after ` +
          `${Math.round(one.ended - one.at)} ms; nobody was acknowledged anything for ${Math.round(pause?.overall ?? 0)} ms`
      )
    }
    await updates.begin()
  }

  async #fault(step: PlannedFault): Promise<void> {
    const struck = await this.#faults.make(step)
    const { at, what } = struck
    const { nodes } = this.#cluster
    const witness = nodes.find((node) => !struck.nodes.includes(node)) ?? nodes[0]
    this.#busy.push(...nodes.map(({ url }) => this.#prober.knock(url)))
    if (witness !== undefined) await this.#prober.probe(witness.url)
    this.#options.log(`${(at / 1_000).toFixed(1)} s: ${what}; answered after ${Math.round(this.#clock.now() - at)} ms`)
    this.faults.push({ kind: kindOf(step), at, what, count: step.kinds.length })
    await struck.isOver
    if (!step.isHasty) await Promise.race([this.#cluster.ready().catch(() => undefined), Bun.sleep(READY_LIMIT)])
    await Bun.sleep(step.pause)
  }

  async #end(): Promise<TrialReport> {
    const { folder, log } = this.#options
    const until = this.#clock.now()
    log(`${(until / 1_000).toFixed(1)} s: the load ends`)
    await Promise.race([this.#cluster.ready(), Bun.sleep(CALM_LIMIT)])
    const clients = [...this.#clients, this.#prober]
    await Promise.all(clients.map((client) => client.settle(ACCEPTED_EVERY)))
    const findings = await databaseFindings(this.#cluster, this.#options)
    const journal = await Effect.runPromise(readJournal(databaseIn(folder)))
    const last = journal.findLast(({ told }) => told !== undefined)?.seq ?? 0
    // Who does not get there is found by the judge.
    await within("the subscribers", CALM_LIMIT, () =>
      this.#subscribers.every(({ position }) => position >= last)
    ).catch((error: unknown) => log(String(error)))
    const history = {
      operations: clients.flatMap(({ operations }) => operations),
      reads: clients.flatMap(({ reads }) => reads),
      subscriptions: this.#subscribers.map((subscriber) => subscriber.close()),
      journal
    }
    return {
      faults: this.faults,
      handOvers: this.handOvers,
      history,
      until,
      violations: [...violationsOf(history), ...badEnds(this.handOvers), ...findings],
      unread: clients.reduce((sum, { unanswered }) => sum + unanswered, 0),
      logs: new Map(this.#cluster.nodes.map(({ log: text, place }) => [place.name, text]))
    }
  }
}

/**
 * Makes faults on a cluster of three nodes under load, one step after another, and judges what each of its clients saw
 * and what the database has at the end.
 */
export const runTrial = async (options: TrialOptions): Promise<TrialReport> => {
  const cluster = await SmallCluster.start({
    folder: options.folder,
    nodes: options.handOvers === undefined ? NODES : 2,
    ...(options.earlier !== undefined && { program: options.earlier }),
    variables: { ARENA_PROFILE: "demo", RATE_LIMITS: "off", SANDBOX_TRADERS: "0", LOG_LEVEL: "debug" }
  })
  try {
    await cluster.ready()
    const trial = await Trial.on(options, cluster)
    return await trial.run()
  } catch (error) {
    for (const { log, place, starts } of cluster.nodes)
      options.log(`${place.name}, ${starts} starts:\n${log.slice(-3_000)}`)
    throw error
  } finally {
    await cluster.stop()
  }
}

const isReplayed = ({ replies }: Operation): boolean => replies.some((reply) => reply.isReplayed)

const isKeyless = ({ isKeyless: isSo }: Operation): boolean => isSo === true

const count = (all: ReadonlyArray<Operation>, outcome: Outcome): number =>
  all.filter((one) => outcomeOf(one) === outcome).length

/** The figures of a trial, a line each. */
export const trialText = ({ faults, handOvers, history, logs, unread, until, violations }: TrialReport): string => {
  const { journal, operations, reads, subscriptions } = history
  const [keyless, keyed] = [operations.filter(isKeyless), operations.filter((one) => !isKeyless(one))]
  const lost = keyed.filter(({ replies }) => replies[0]?.outcome === "unknown")
  const executed = lost.filter(isReplayed)
  const paused = pauses(handOvers, operations, until)
  const done =
    handOvers.length > 0
      ? [
          `${handOvers.length} hand-overs`,
          phaseTable(phases(handOvers, operations, logs), paused),
          pauseText(paused, handOvers)
        ]
      : [`${faults.reduce((sum, one) => sum + one.count, 0)} faults, some of them two at once`]
  return [
    ...done,
    `${operations.length} requests: ${count(operations, "accepted")} accepted, ${count(operations, "refused")} refused`,
    `${keyless.length} of them once without a key: ${count(keyless, "accepted")} accepted, ` +
      `${count(keyless, "refused")} refused, and ${keyless.length - count(keyless, "accepted") - count(keyless, "refused")} without a known outcome`,
    `${lost.length} of the others without a first answer: ${executed.length} had been executed, ` +
      `${count(lost, "accepted") - executed.length} were by a retry, ${count(lost, "refused")} were refused then, ` +
      `${count(lost, "unknown")} have no answer`,
    `${reads.length} reads, and ${unread} without an answer`,
    `${journal.length} events, of which the subscribers were told ${subscriptions.map(({ told }) => told.length).join(", ")}`,
    `${violations.length} violations`
  ].join("\n")
}
