import { useApi } from "../Data.ts"
import type { Payload } from "../Contract.ts"
import { CheckField, Fieldset } from "../ui/Field.tsx"
import { Loaded } from "../ui/States.tsx"
import { eventGroups } from "./EventGroups.ts"

/** A type that an endpoint can get, or `*` for all. */
export type Wanted = Payload<"POST /v1/webhooks">["events"][number]

interface EventChoiceProps {
  readonly chosen: ReadonlyArray<Wanted>
  readonly onChoose: (events: ReadonlyArray<Wanted>) => void
}

const without = (events: ReadonlyArray<Wanted>, one: Wanted): ReadonlyArray<Wanted> =>
  events.filter((event) => event !== one)

/** Which events an endpoint gets: all of them, or some by their subject. */
export const EventChoice = ({ chosen, onChoose }: EventChoiceProps) => {
  const types = useApi("GET /v1/webhooks/event-types", {})
  const isAll = chosen.includes("*")
  return (
    <Fieldset legend="Events">
      <CheckField
        label="All events"
        hint="Also those that come later."
        checked={isAll}
        onChange={(all) => onChoose(all ? ["*"] : [])}
      />
      {!isAll && (
        <Loaded of={types} lines={6}>
          {(rows) => (
            <div className="event-groups">
              {eventGroups(rows).map(({ title, types }) => (
                <div key={title} className="event-group">
                  <h3>{title}</h3>
                  {types.map(({ description, type }) => (
                    <CheckField
                      key={type}
                      label={<code>{type}</code>}
                      hint={description}
                      checked={chosen.includes(type)}
                      onChange={(on) => onChoose(on ? [...chosen, type] : without(chosen, type))}
                    />
                  ))}
                </div>
              ))}
            </div>
          )}
        </Loaded>
      )}
    </Fieldset>
  )
}
