import { ButtonLink } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./Icon.tsx"

/** Something to do before something else. */
export interface Step {
  readonly icon: IconName
  readonly title: string
  /** What it is for, or how far it is. */
  readonly text: string
  /** The page where it is done; undefined where somebody else does it. */
  readonly to: string | undefined
  readonly done: boolean
}

const One = ({ done, icon, text, title, to }: Step) => (
  <li className={done ? "step done" : "step"}>
    <span className="step-icon">
      <Icon name={done ? "check" : icon} />
    </span>
    <span className="step-words">
      <span className="step-title">{title}</span>
      <span className="hint">{text}</span>
    </span>
    {done ? (
      <span className="soft">Done</span>
    ) : (
      to !== undefined && (
        <ButtonLink to={to} size="small">
          Open
        </ButtonLink>
      )
    )}
  </li>
)

/** Steps in their order, each with a link to where it is done. */
export const Steps = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => (
  <ol className="steps">
    {steps.map((step) => (
      <One key={step.title} {...step} />
    ))}
  </ol>
)
