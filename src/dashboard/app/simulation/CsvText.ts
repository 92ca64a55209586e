/** A file of the repository that is bundled as its text. */
declare module "*.csv" {
  const text: string
  export default text
}
