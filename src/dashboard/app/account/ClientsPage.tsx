import { useState } from "react"
import type { Answer, RowOf } from "../Contract.ts"
import { useAct, useRows } from "../Data.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button, IconButton } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Code } from "../ui/Code.tsx"
import { CopyField, CopyId } from "../ui/CopyField.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Empty, Notice, Problem } from "../ui/States.tsx"
import { List, PAGE_ROWS } from "../ui/Table.tsx"
import type { Column } from "../ui/Table.tsx"
import { When } from "../ui/Time.tsx"
import { ALL_SCOPES, ScopeChoice } from "./ScopeChoice.tsx"
import type { Scope } from "./ScopeChoice.tsx"

type Client = RowOf<"GET /v1/clients">
type Made = Answer<"POST /v1/clients">

interface NewClientProps {
  readonly onClose: () => void
  readonly onMade: (made: Made) => void
}

const NewClient = ({ onClose, onMade }: NewClientProps) => {
  const [name, setName] = useState("")
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>(["orders:read", "orders:write"])
  const create = useAct("POST /v1/clients", { changes: ["GET /v1/clients"], quiet: true, onDone: onMade })
  return (
    <Dialog title="Create an API client" onClose={onClose}>
      <Form onSubmit={() => create.mutate({ payload: { name, scopes } })}>
        <TextField
          label="Name"
          hint="Where it runs, such as “Warehouse sync”."
          required
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <ScopeChoice chosen={scopes} onChange={setScopes} />
        <Problem error={create.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={create.isPending}>
            Create client
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const example = ({ client_id }: Made): string =>
  [
    `curl ${location.origin}/api/v1/auth/token \\`,
    `  -u '${client_id}:<client secret>' \\`,
    "  -d grant_type=client_credentials"
  ].join("\n")

/** The secret of a client that was just made or got another one. It cannot be seen again. */
const Secret = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => (
  <Dialog title={`${made.name} is ready`} onClose={onClose}>
    <Notice tone="wait" title="Keep the secret now">
      It is shown this once: only its hash is stored.
    </Notice>
    <CopyField label="Client id" value={made.client_id} />
    <CopyField label="Client secret" value={made.client_secret} />
    <div className="field">
      <span className="field-label">Get an access token</span>
      <Code label="Example of getting a token" text={example(made)} />
    </div>
    <Actions>
      <Button look="main" onClick={onClose}>
        I have kept it
      </Button>
    </Actions>
  </Dialog>
)

interface RotateClientProps {
  readonly client: Client
  readonly onClose: () => void
  readonly onRotated: (made: Made) => void
}

const RotateClient = ({ client, onClose, onRotated }: RotateClientProps) => {
  const rotate = useAct("POST /v1/clients/:clientId/secret/rotate", { onDone: onRotated })
  return (
    <Confirm
      title={`Rotate the secret of ${client.name}?`}
      act="Rotate secret"
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate({ params: { clientId: client.client_id } })}
      onClose={onClose}
    >
      <p>
        The client keeps its account and its money. The secret it has now and all its tokens are refused at once:
        programs that use it stop working until they have the new one.
      </p>
    </Confirm>
  )
}

const DeleteClient = ({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) => {
  const remove = useAct("DELETE /v1/clients/:clientId", {
    changes: ["GET /v1/clients"],
    done: `${client.name} was deleted`,
    onDone: onClose
  })
  return (
    <Confirm
      title={`Delete ${client.name}?`}
      act="Delete client"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { clientId: client.client_id } })}
      onClose={onClose}
    >
      <p>All its tokens are refused at once. Programs that use it stop working. This cannot be undone.</p>
    </Confirm>
  )
}

const Scopes = ({ scopes }: { readonly scopes: ReadonlyArray<string> }) =>
  scopes.length === 0 ? (
    <span className="soft">Arena only</span>
  ) : scopes.length === ALL_SCOPES.length ? (
    <Badge>All scopes</Badge>
  ) : (
    <span className="row tight">
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
  )

interface ClientActs {
  readonly onRotate: (client: Client) => void
  readonly onDelete: (client: Client) => void
}

const columnsFor = ({ onDelete, onRotate }: ClientActs): ReadonlyArray<Column<Client>> => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Client id", cell: ({ client_id }) => <CopyId value={client_id} /> },
  { title: "Scopes", wide: true, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
  { title: "Created", wide: true, cell: ({ created_at }) => <When at={created_at} as="distance" /> },
  {
    title: "",
    align: "right",
    cell: (client) => (
      <span className="row tight">
        <IconButton icon="refresh" label={`Rotate the secret of ${client.name}`} onClick={() => onRotate(client)} />
        <IconButton icon="trash" label={`Delete ${client.name}`} onClick={() => onDelete(client)} />
      </span>
    )
  }
]

/** The company's API clients: made, seen, given another secret and deleted. */
const ClientsPage = () => {
  const [offset, setOffset] = useState(0)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<Made>()
  const [rotating, setRotating] = useState<Client>()
  const [leaving, setLeaving] = useState<Client>()
  const clients = useRows("GET /v1/clients", { query: { limit: PAGE_ROWS, offset } })
  const create = (
    <Button look="main" icon="plus" onClick={() => setCreating(true)}>
      Create client
    </Button>
  )
  return (
    <>
      <PageHead
        title="API clients"
        lead="Credentials for programs of your company. Each gets tokens of its own by the OAuth 2.0 client credentials grant."
        actions={clients.data?.total === 0 ? undefined : create}
      />
      <Card flush>
        <List
          label="API clients"
          of={clients}
          columns={columnsFor({ onRotate: setRotating, onDelete: setLeaving })}
          keyOf={({ id }) => id}
          page={{ offset, onMove: setOffset }}
          empty={
            <Empty icon="key" title="No API clients yet" action={create}>
              A client lets a program of yours place orders, move money and listen to the arena without your password.
            </Empty>
          }
        />
      </Card>
      {isCreating && (
        <NewClient
          onClose={() => setCreating(false)}
          onMade={(client) => {
            setCreating(false)
            setMade(client)
          }}
        />
      )}
      {made !== undefined && <Secret made={made} onClose={() => setMade(undefined)} />}
      {rotating !== undefined && (
        <RotateClient
          client={rotating}
          onClose={() => setRotating(undefined)}
          onRotated={(client) => {
            setRotating(undefined)
            setMade(client)
          }}
        />
      )}
      {leaving !== undefined && <DeleteClient client={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

export default ClientsPage
