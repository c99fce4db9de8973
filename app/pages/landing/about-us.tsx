import { paths } from "../../../server/http/paths.ts";
import { Picture } from "../../ui/picture.tsx";
import { useWords } from "../../words.ts";
import about from "./about.module.css";
import careers from "./careers.module.css";
import contact from "./contact.module.css";
import { Section } from "./section.tsx";

/** Who makes this: the campus at the page's edge, the words beside it. */
export function About() {
  const { about: words } = useWords().landing;
  return (
    <section className={about.about} id="about" data-field="paper">
      <div className={about.campus}>
        <Picture name="about" alt={words.pictureAlt} />
      </div>
      <div className={`stack ${about.words}`}>
        <h2>{words.title}</h2>
        {words.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  );
}

/** Unpaid work for those who want to help: one sheet on a notice board. */
export function Careers() {
  const { careers: words } = useWords().landing;
  return (
    <Section id="careers" field="leaf" className={careers.careers}>
      <h2>{words.title}</h2>
      <p dangerouslySetInnerHTML={{ __html: words.text }} />
      <ul className={`frame ${careers.sheet}`}>
        {words.roles.map((role) => (
          <li key={role.title}>
            <h3>{role.title}</h3>
            <p>{role.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** One address, as large as the page allows, and the letters that are written most often, begun. */
export function Contact() {
  const { landing, settings, to } = useWords();
  const { contact: words } = landing;
  const { email } = settings;
  const [name, host] = email.split("@");
  return (
    <Section id="contact" field="bright-rani" className={contact.contact}>
      <h2 className={contact.title}>{words.title}</h2>
      <p className={contact.address}>
        <a className="target" href={`mailto:${email}`} aria-label={words.emailLabel}>
          {name}@<wbr />
          {host}
        </a>
      </p>
      <div>
        <p dangerouslySetInnerHTML={{ __html: words.text }} />
        <p>{words.replyNote}</p>
        <details>
          <summary>{words.accessibility.title}</summary>
          <p>{words.accessibility.text}</p>
        </details>
      </div>
      <ul className={`display ${contact.letters}`}>
        {words.letters.map(({ label, subject }) => (
          <li key={label}>
            <a className="target" href={`mailto:${email}?subject=${encodeURIComponent(subject)}`}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <a className="target" href={to(paths.deletion)}>
            {words.deleteAccount}
          </a>
        </li>
      </ul>
    </Section>
  );
}
