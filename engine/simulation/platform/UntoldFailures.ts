/** The failures of the engine that are no refusals: nobody is told one as the answer to what was asked for. */

const WRITING = "it is between the parts of the journal: whoever writes hears that the journal does not answer"
const HTTP_KEY =
  "the keys of HTTP's requests are kept by it: those of a simulation are kept by the journal and the desks"
const READ = "it is of a text or a number that is read before anything is decided"
const LEDGER = "the engine's rules never ask the ledger for it: where it comes it is a defect, and ends a simulation"
const REPLAY = "it is of programs that are played against recorded markets"

/** Why no simulation is asked for a failure, by its folder and its class. */
export const UNTOLD_FAILURES: Readonly<Record<string, string>> = {
  "actor/ActorUnavailable":
    "the actor that was asked died: it is asked again, and how often that was stands with the answers",
  "actor/JournalUnavailable":
    "the journal did not answer: it is asked again, and what stays unanswered stands with the answers",
  "actor/StaleVersion": "somebody else came first: it is decided again on what is there then",
  "arena/InvalidDuration": READ,
  "arena/InvalidHistory": READ,
  "arena/InvalidStrategies": READ,
  "arena/UnpricedRate": READ,
  "arena/ValueTooLarge": "it is told as InvalidTerms",
  "bots/GuardReplaced": "a guard that was set again meanwhile pauses nobody: it is looked at again when it is due",
  "journal/Deposed": WRITING,
  "journal/Diverged": "nodes that do not write follow the journal by it: a simulation of nodes has its own audit",
  "journal/Forgotten":
    "another node's sending of a request is too long ago: it is answered 503, which stands with the answers",
  "journal/KeyReused": HTTP_KEY,
  "journal/KeyRunning": HTTP_KEY,
  "journal/Outdated": WRITING,
  "ledger/AccountClosed":
    "it is told as what the account is closed for: VaultClosed, CommitmentsHalted or MachineNotRegistered",
  "ledger/HoldNotPending": LEDGER,
  "ledger/InvalidCommand": LEDGER,
  "market/LookAhead": REPLAY,
  "market/OutOfSequence": REPLAY,
  "money/InvalidAmount": READ,
  "money/InvalidRate": READ,
  "webhooks/EndpointNotFound": "the actor of a webhook that is not there is sent nothing: its sender goes on"
}
