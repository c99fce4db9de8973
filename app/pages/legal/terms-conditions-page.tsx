export default function TermsConditionsPage() {
  return <h1>…</h1>;
}
