import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { admin, Authorization, Policy } from "./Authorization.ts"
import { UtcTimestamp } from "./Timestamp.ts"

const Node = Schema.Struct({
  address: Schema.String.annotate({ description: "By which the other nodes reach it." }),
  connected_since: Schema.NullOr(UtcTimestamp).annotate({
    description: "Since when it is connected to the database; null where it is gone."
  }),
  writes: Schema.Boolean.annotate({ description: "Whether it took the last term." }),
  behind: Schema.NullOr(Schema.Int).annotate({
    description: "Events that it heard of and does not have; null where it writes, or did not say."
  })
}).annotate({ identifier: "Node" })

const Nodes = Schema.Struct({
  nodes: Schema.Array(Node).annotate({ description: "By address; none where one server works alone." }),
  writer: Schema.NullOr(Schema.String).annotate({ description: "The address of the node that took the last term." }),
  serving_since: Schema.NullOr(UtcTimestamp).annotate({
    description: "Since when the writer takes requests; null while it does not."
  }),
  term: Schema.Int.annotate({ description: "The number of the last writer." }),
  unprojected: Schema.Int.annotate({ description: "Events of the journal that the tables do not have yet." })
}).annotate({ identifier: "Nodes" })

const list = HttpApiEndpoint.get("listNodes", "/v1/nodes", { success: Nodes })
  .annotate(Policy, admin)
  .annotateMerge(
    OpenApi.annotations({ summary: "The nodes, and which one writes", description: "For administrators." })
  )

/** The nodes that work on the database. An extension. */
export class NodesApi extends HttpApiGroup.make("nodes")
  .add(list)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Nodes", description: "Several servers on one database." })) {}
