import { useState } from "react"
import { currentToken } from "../ApiCalls.ts"
import { refusalOf, refusedBy } from "../Refused.ts"
import { Button } from "./Button.tsx"
import { useToasts } from "./Toasts.tsx"

/** Offers a file to the person under a name, as a link that is pressed would. */
const offer = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

const download = async (path: string, name: string): Promise<void> => {
  const response = await fetch(path, { headers: { authorization: `Bearer ${await currentToken()}` } })
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined))
  offer(await response.blob(), name)
}

interface DownloadButtonProps {
  /** A path of the API that answers a file. */
  readonly path: string
  /** The file's name. */
  readonly name: string
  readonly children: string
}

/** Downloads what a path answers, with the person's token. */
export const DownloadButton = ({ path, name, children }: DownloadButtonProps) => {
  const [busy, setBusy] = useState(false)
  const { say } = useToasts()
  const start = () => {
    setBusy(true)
    void download(path, name)
      .catch((error: unknown) => say("bad", refusedBy(error).message))
      .finally(() => setBusy(false))
  }
  return (
    <Button size="small" icon="down" busy={busy} onClick={start}>
      {children}
    </Button>
  )
}
