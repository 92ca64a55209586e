import { useState } from "react"
import { useLocation } from "wouter"
import type { Answer } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm, Dialog } from "../ui/Dialog.tsx"
import { metadataChange, metadataText, readMetadata } from "../ui/MetadataText.ts"
import type { Wanted } from "./EventChoice.tsx"
import { SecretDialog } from "./SecretDialog.tsx"
import { TestDialog } from "./TestDialog.tsx"
import { WebhookForm } from "./WebhookForm.tsx"

type Webhook = Answer<"GET /v1/webhooks/:id">

const CHANGES = ["GET /v1/webhooks", "GET /v1/webhooks/:id"] as const

interface OfWebhook {
  readonly webhook: Webhook
  readonly onClose: () => void
}

const Edit = ({ webhook, onClose }: OfWebhook) => {
  const change = useAct("PATCH /v1/webhooks/:id", {
    done: "Endpoint changed",
    quiet: true,
    changes: CHANGES,
    onDone: onClose
  })
  return (
    <Dialog title="Change the endpoint" onClose={onClose}>
      <WebhookForm
        start={{
          url: webhook.url,
          description: webhook.description ?? "",
          events: webhook.events as ReadonlyArray<Wanted>,
          metadata: metadataText(webhook.metadata)
        }}
        act="Save"
        busy={change.isPending}
        error={change.error}
        onClose={onClose}
        onSubmit={({ description, events, metadata, url }) =>
          change.mutate({
            params: { id: webhook.id },
            payload: {
              url,
              events,
              description: description === "" ? null : description,
              metadata: metadataChange(webhook.metadata, readMetadata(metadata) ?? webhook.metadata)
            }
          })
        }
      />
    </Dialog>
  )
}

const Rotate = ({ webhook, onClose }: OfWebhook) => {
  const rotate = useAct("POST /v1/webhooks/:id/secret/rotate", { changes: CHANGES })
  if (rotate.data !== undefined) {
    return (
      <SecretDialog
        title="New signing secret"
        secret={rotate.data.secret}
        note="For 24 hours each delivery carries signatures by the secrets before as well: change your receiver within that time."
        onClose={onClose}
      />
    )
  }
  return (
    <Confirm
      title="Rotate the signing secret"
      act="Rotate secret"
      danger={false}
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate({ params: { id: webhook.id } })}
      onClose={onClose}
    >
      <p>
        A new secret signs from now on. Each one before goes on signing beside it until 24 hours after it was replaced,
        so nothing is refused.
      </p>
    </Confirm>
  )
}

const Delete = ({ webhook, onClose }: OfWebhook) => {
  const [, go] = useLocation()
  const remove = useAct("DELETE /v1/webhooks/:id", {
    done: "Endpoint deleted",
    changes: ["GET /v1/webhooks"],
    onDone: () => go("/webhooks")
  })
  return (
    <Confirm
      title="Delete the endpoint"
      act="Delete endpoint"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: webhook.id } })}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, not even what waits now. This cannot be undone.
      </p>
    </Confirm>
  )
}

/** Enables a disabled endpoint, and disables an enabled one. */
export const Switch = ({ webhook }: { readonly webhook: Webhook }) => {
  const isEnabled = webhook.status === "enabled"
  const change = useAct("PATCH /v1/webhooks/:id", {
    done: isEnabled ? "Endpoint disabled" : "Endpoint enabled",
    changes: CHANGES
  })
  return (
    <Button
      icon={isEnabled ? "pause" : "play"}
      look={isEnabled ? "usual" : "main"}
      busy={change.isPending}
      onClick={() =>
        change.mutate({ params: { id: webhook.id }, payload: { status: isEnabled ? "disabled" : "enabled" } })
      }
    >
      {isEnabled ? "Disable" : "Enable"}
    </Button>
  )
}

const DIALOGS = { edit: Edit, rotate: Rotate, delete: Delete } as const

/** The buttons of an endpoint's page and the dialogs that they open. */
export const WebhookActs = ({ webhook }: { readonly webhook: Webhook }) => {
  const [open, setOpen] = useState<keyof typeof DIALOGS | "test">()
  const close = () => setOpen(undefined)
  const Shown = open === undefined || open === "test" ? undefined : DIALOGS[open]
  return (
    <>
      <Button look="main" icon="play" onClick={() => setOpen("test")}>
        Send test event
      </Button>
      <Button onClick={() => setOpen("edit")}>Edit</Button>
      <Button icon="key" onClick={() => setOpen("rotate")}>
        Rotate secret
      </Button>
      {webhook.status === "enabled" && <Switch webhook={webhook} />}
      <Button look="danger" icon="trash" onClick={() => setOpen("delete")}>
        Delete
      </Button>
      {open === "test" && <TestDialog url={webhook.url} onClose={close} />}
      {Shown !== undefined && <Shown webhook={webhook} onClose={close} />}
    </>
  )
}
