import { expect, test } from "vitest";
import { postPictures } from "../app/art/pictures.tsx";
import { loadCampus } from "../campus/load.ts";
import { requirePictures } from "./pictures-plugin.ts";

const campus = loadCampus(`${import.meta.dirname}/../campus`);
const drawn = postPictures.map(({ name }) => name);

test("every post and category of our own campus names a drawing that there is", () => {
  expect(() => requirePictures(campus, drawn)).not.toThrow();
});

test("a post whose picture nobody has drawn ends the build with its file and what to choose from", () => {
  const posts = campus.posts.map((post) => (post.id === 34 ? { ...post, picture: "tram" } : post));
  expect(() => requirePictures({ ...campus, posts }, drawn)).toThrow(
    /^campus\/content\/en\/posts\/34-off-peak-rides\.md: picture: there is no drawing named "tram"; choose one of .*helmet/,
  );
});

test("so does a category's", () => {
  const labels = structuredClone(campus.interface);
  labels.blog.pictures.Safety = { picture: "tram", alt: "A tram" };
  expect(() => requirePictures({ ...campus, interface: labels }, drawn)).toThrow(
    'campus/content/en/interface.yaml: blog.pictures.Safety.picture: there is no drawing named "tram"',
  );
});
