/** The site's drawings that the build writes to files for `<img>`. */
import type { Motifs } from "../../campus-reader/choices.ts";
import { comingSoon } from "./coming-soon.ts";
import { heroPictures } from "./hero-pictures.tsx";
import { iconPictures } from "./icon-pictures.tsx";
import { type LandingWishes, landingPictures } from "./landing-pictures.tsx";
import { noticePictures } from "./notice-pictures.tsx";
import { DrawnWith, type Picture } from "./picture.tsx";
import { postPictures } from "./post-pictures.tsx";
import { routePictures } from "./route-pictures.tsx";
import { storeCodes } from "./store-codes.tsx";

export { comingSoon, postPictures };

/** A campus's settings for its drawings. */
type PictureWishes = LandingWishes & {
  motifs: Motifs;
  /** Names of the drawings for its posts and categories, without "post-". */
  posts: readonly string[];
  /** Addresses of the app in the stores. */
  stores: readonly string[];
};

/** Returns the drawings of a campus. */
export function picturesFor(wishes: PictureWishes): readonly Picture[] {
  const { heroVehicle, motifs, posts, stores } = wishes;
  const wanted = [
    ...heroPictures(heroVehicle),
    ...landingPictures(wishes),
    ...noticePictures(heroVehicle),
    ...iconPictures,
    ...postPictures.filter(({ name }) => posts.includes(name.replace(/^post-/, ""))),
    ...routePictures,
    ...storeCodes(stores),
  ];
  return wanted.map(
    (picture: Picture): Picture => ({
      ...picture,
      draw: () => <DrawnWith value={motifs}>{picture.draw()}</DrawnWith>,
    }),
  );
}
