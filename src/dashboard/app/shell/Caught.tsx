import { Component } from "react"
import type { ReactNode } from "react"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/States.tsx"

interface CaughtProps {
  readonly children: ReactNode
}

interface CaughtState {
  readonly error: unknown
}

/** Keeps the navigation where a page fails to load or to render, such as after a new release. */
export class Caught extends Component<CaughtProps, CaughtState> {
  override state: CaughtState = { error: undefined }

  static getDerivedStateFromError(error: unknown): CaughtState {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <Empty
        icon="alert"
        title="This page could not be shown"
        action={
          <Button look="main" icon="refresh" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        A newer version may have been installed meanwhile.
      </Empty>
    )
  }
}
