import type { ButtonHTMLAttributes, ReactNode } from "react"
import { Link } from "wouter"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./Icon.tsx"

type Look = "main" | "usual" | "quiet" | "danger"

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  /** `main` for the one thing that a page or dialog is for; by default `usual`. */
  readonly look?: Look
  readonly size?: "usual" | "small"
  readonly icon?: IconName
  /** Shows that the act runs, and takes no further press. */
  readonly busy?: boolean
  readonly children: ReactNode
}

const classOf = (look: Look, size: "usual" | "small"): string => `button ${look} ${size}`

/** A button. `<Button look="main" icon="plus" onClick={…}>Create client</Button>` */
export const Button = ({ look = "usual", size = "usual", icon, busy = false, children, ...rest }: ButtonProps) => (
  <button type="button" {...rest} className={classOf(look, size)} disabled={busy || rest.disabled} aria-busy={busy}>
    {busy ? <span className="spinner" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
  </button>
)

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  readonly icon: IconName
  /** What it does, for who cannot see the picture. */
  readonly label: string
}

/** A button that is a picture alone. */
export const IconButton = ({ icon, label, ...rest }: IconButtonProps) => (
  <button type="button" {...rest} className="icon-button" aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
)

interface ButtonLinkProps {
  /** A path, such as `/clients`. */
  readonly to: string
  readonly look?: Look
  readonly size?: "usual" | "small"
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = ({ to, look = "usual", size = "usual", icon, children }: ButtonLinkProps) => (
  <Link href={to} className={classOf(look, size)}>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
  </Link>
)

/** A link to a page of this server beside the dashboard that looks like a button. */
export const OutsideLink = ({ to, look = "usual", size = "usual", icon, children }: ButtonLinkProps) => (
  <a href={to} className={classOf(look, size)}>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
  </a>
)
