/** The mark and the name. */
export const Brand = () => (
  <span className="brand">
    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" className="brand-ground" />
      <path d="M7 7.5h10M7 12h6.5M7 16.5h10" className="brand-lines" />
    </svg>
    <span>Emporion</span>
  </span>
)
