import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import styles from "./careers.module.css";

/** Unpaid work for those who want to help: an honest notice board. */
export function Careers() {
  const { careers } = campus.landing;
  return (
    <section className={`${styles.careers} ${fringe.fringe}`} id="careers" data-field="leaf">
      <div className={`page-width ${styles.inside}`}>
        <h2 className="headline">{careers.title}</h2>
        <p className={styles.text} dangerouslySetInnerHTML={{ __html: careers.text }} />
        <ul className={styles.roles}>
          {careers.roles.map((role) => (
            <li key={role.title}>
              <h3>{role.title}</h3>
              <p>{role.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
