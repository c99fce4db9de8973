export default function LandingPage() {
  return <h1>…</h1>;
}
