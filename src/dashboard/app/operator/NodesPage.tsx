import type { Answer } from "../Contract.ts"
import { useApi } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Card, Stat, Stats } from "../ui/Card.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { count } from "../ui/Format.ts"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Loaded, Notice } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { concernOf, standingOf } from "./NodeStanding.ts"

type Nodes = Answer<"GET /v1/nodes">

/** How often the nodes are asked for, in milliseconds. */
const EVERY = 3_000

const Figures = ({ nodes, serving_since, term, unprojected, writer }: Nodes) => (
  <Stats>
    <Stat label="Writes" value={writer ?? "This server"} note={nodes.length === 0 ? "alone" : `term ${count(term)}`} />
    <Stat
      label="Since"
      value={
        serving_since === null ? (
          nodes.length === 0 ? (
            "Its start"
          ) : (
            "Not yet"
          )
        ) : (
          <When at={serving_since} as="distance" />
        )
      }
    />
    <Stat label="Nodes" value={count(nodes.filter((node) => node.connected_since !== null).length)} note="connected" />
    <Stat label="Tables lack" value={count(unprojected)} note="events of the journal" />
  </Stats>
)

const List = ({ all }: { readonly all: Nodes }) => (
  <Card title="Nodes" flush>
    {all.nodes.length === 0 ? (
      <Empty icon="shield" title="This server works alone">
        With CLUSTER=on several servers work on one database, and another one writes when one ends.
      </Empty>
    ) : (
      <Table
        label="Nodes"
        rows={all.nodes}
        keyOf={({ address }) => address}
        columns={[
          { title: "Address", cell: ({ address }) => <code>{address}</code> },
          {
            title: "Does",
            cell: (node) => {
              const { tone, word } = standingOf(node, all)
              return <Badge tone={tone}>{word}</Badge>
            }
          },
          {
            title: "Connected",
            wide: true,
            cell: ({ connected_since: since }) => (since === null ? "" : <When at={since} as="distance" />)
          },
          { title: "Events behind", align: "right", cell: ({ behind }) => (behind === null ? "" : count(behind)) }
        ]}
      />
    )}
  </Card>
)

const HandOver = () => (
  <Card title="Let another node write">
    <CopyField
      label="On a machine of the private network"
      value="emporion nodes hand-over"
      hint="The node that writes finishes what it has, another one goes on, and its supervisor starts the first one again."
    />
  </Card>
)

const Seen = ({ all }: { readonly all: Nodes }) => {
  const concern = concernOf(all)
  return (
    <>
      {concern !== undefined && <Notice tone="wait" title={concern} />}
      <Figures {...all} />
      <List all={all} />
      {all.nodes.length > 1 && <HandOver />}
    </>
  )
}

/** Which servers work on the database, for administrators. */
const NodesPage = () => (
  <>
    <PageHead
      title="Nodes"
      lead="The servers that work on this database, which one writes, and how far the others follow."
    />
    <Loaded of={useApi("GET /v1/nodes", {}, { every: EVERY })} lines={6}>
      {(all) => <Seen all={all} />}
    </Loaded>
  </>
)

export default NodesPage
