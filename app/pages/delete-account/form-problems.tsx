import type { Campus } from "../../../campus-reader/campus.ts";
import { Button } from "../../components/button.tsx";
import type { Problem } from "../../components/field.tsx";
import { WithAddresses } from "../../components/line-breaks.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";

/**
 * Id of the element with the form's result. Forms post to a URL with this fragment, which browsers
 * preserve across a redirect (RFC 9110, 10.2.2). The result is therefore in view and focused even
 * without JavaScript.
 */
export const answerId = "answer";

/**
 * A validation message. A message with a suggestion is only a question: the visitor can send the
 * form with or without accepting it.
 */
export type FormProblem = Problem & { suggestion?: string };

type Answers = Pick<Campus["deletion"]["form"], "takeSuggestion" | "sendSuggestion" | "sendTyped">;

/**
 * Renders the focusable summary of validation messages and questions above the form's fields, with
 * links to them.
 */
export function ErrorSummary({
  title,
  problems,
  words,
}: {
  title: string;
  problems: readonly FormProblem[];
  words: Answers;
}) {
  const suggestion = problems.find((problem) => problem.suggestion)?.suggestion;
  return (
    <Notice tone="danger" id={answerId} role="alert" tabIndex={-1}>
      <h3>
        <Text>{title}</Text>
      </h3>
      <ul>
        {problems.map(({ field, words: text }) => (
          <li key={text}>
            {field ? (
              <a href={`#${field}`}>
                <WithAddresses text={text} />
              </a>
            ) : (
              <WithAddresses text={text} />
            )}
          </li>
        ))}
      </ul>
      {suggestion ? (
        <p className="row">
          {/* Enter presses the form's first submit button. This button is first so that Enter
              doesn't accept the suggestion. */}
          <Button type="submit">{words.sendTyped}</Button>
          <Button type="submit" name="take" value={suggestion} variant="primary">
            {words.sendSuggestion}
          </Button>
        </p>
      ) : null}
    </Notice>
  );
}

/** Asks about a likely typo in the email address before the form is sent. */
export function Suggestion({
  question,
  words,
  onTake,
}: {
  question: string;
  words: Answers;
  onTake: () => void;
}) {
  return (
    <p className="row" role="status">
      <span>
        <WithAddresses text={question} />
      </span>
      <Button onClick={onTake}>{words.takeSuggestion}</Button>
    </p>
  );
}
