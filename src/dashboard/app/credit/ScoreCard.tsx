import type { Answer } from "../Contract.ts"
import { Badge } from "../ui/Badge.tsx"
import type { Tone } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { count, percent } from "../ui/Format.ts"
import { When } from "../ui/Time.tsx"
import { HIGHEST_SCORE, LOWEST_SCORE } from "../../../../engine/credit/DefaultProbability.ts"
import { bandWord, pointsBars, scorePosition } from "./ScoreReading.ts"

type Profile = Answer<"GET /v1/credit/profile/:profileId">

const TONES: Readonly<Record<Profile["band"], Tone>> = { A: "good", B: "good", C: "wait", D: "wait", E: "bad" }

const signed = (points: number): string => (points < 0 ? `−${count(-points)}` : `+${count(points)}`)

/** The score on its scale, with its band. */
export const Score = ({ profile }: { readonly profile: Profile }) => (
  <Card
    title="Your score"
    aside={
      <Badge tone={TONES[profile.band]}>
        Band {profile.band}: {bandWord(profile.band)}
      </Badge>
    }
  >
    <p className="score-number">{profile.score}</p>
    <div
      className="score-scale"
      role="img"
      aria-label={`Score ${profile.score} on a scale from ${LOWEST_SCORE} to ${HIGHEST_SCORE}`}
    >
      <span className="score-mark" style={{ left: `${scorePosition(profile.score) * 100}%` }} />
    </div>
    <p className="score-ends" aria-hidden="true">
      <span>{LOWEST_SCORE}</span>
      <span>{HIGHEST_SCORE}</span>
    </p>
    <p className="soft">
      That a credit like this is not paid back is {percent(profile.probability)} likely. Scored by model{" "}
      <code>{profile.modelVersion}</code>, <When at={profile.assessedAt} />.
    </p>
  </Card>
)

/** What cost most points, the costliest first. */
export const Reasons = ({ profile }: { readonly profile: Profile }) => (
  <Card title="What would raise it">
    {profile.reasons.length === 0 ? (
      <p className="soft">Nothing costs enough points to be worth telling.</p>
    ) : (
      <ul className="reasons">
        {profile.reasons.map(({ code, points, text }) => (
          <li key={code}>
            <span>{text}</span>
            <Badge tone="wait">up to {signed(points)}</Badge>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

/** Where the score comes from: points that add up to it. */
export const Points = ({ profile }: { readonly profile: Profile }) => {
  const base = profile.points.find(({ attribute }) => attribute === "base")
  const rest = profile.points.filter(({ attribute }) => attribute !== "base")
  return (
    <Card title="How it adds up">
      <dl className="points">
        {base !== undefined && (
          <div>
            <dt>Mean applicant</dt>
            <dd className="points-value">{count(base.points)}</dd>
          </div>
        )}
        {pointsBars(rest).map(({ label, points, share }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="points-bar" aria-hidden="true">
              <span className={points < 0 ? "less" : "more"} style={{ width: `${share * 50}%` }} />
            </dd>
            <dd className="points-value">{signed(points)}</dd>
          </div>
        ))}
        <div className="points-total">
          <dt>Score</dt>
          <dd className="points-value">{profile.score}</dd>
        </div>
      </dl>
    </Card>
  )
}
