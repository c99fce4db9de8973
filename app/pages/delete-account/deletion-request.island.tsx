import { hydrateRoot } from "react-dom/client";
import { DeletionRequest, type DeletionRequestProps } from "./deletion-request.tsx";

/** Brings the deletion form to life in the markup that the server has made, with the same props. */
const place = document.getElementById("deletion-island");
const props = document.getElementById("deletion-island-props");
if (place && props?.textContent) {
  hydrateRoot(
    place,
    <DeletionRequest {...(JSON.parse(props.textContent) as DeletionRequestProps)} />,
  );
}
