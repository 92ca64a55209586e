interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** What is said beside the bar: "312 of 10,000". */
  readonly text: string
}

/** How much of something is used. */
export const Meter = ({ label, value, max, text }: MeterProps) => {
  const share = max <= 0 ? 0 : Math.min(1, value / max)
  return (
    <div className="meter">
      <div className="meter-head">
        <span>{label}</span>
        <span className="meter-text">{text}</span>
      </div>
      <div
        className={share > 0.9 ? "meter-bar full" : "meter-bar"}
        role="meter"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuetext={text}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
