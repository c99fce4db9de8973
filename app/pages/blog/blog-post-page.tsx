import { pictures } from "virtual:pictures";
import { readPostText } from "virtual:posts";
import { data } from "react-router";
import { allCategories } from "../../../campus-reader/choices.ts";
import { showPortraits } from "../../../campus-reader/ornaments.ts";
import type { PostListing } from "../../../campus-reader/posts.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import checklist from "../../components/checklist.module.css";
import fringe from "../../components/fringe.module.css";
import { NotTranslated } from "../../components/not-translated.tsx";
import { Picture } from "../../components/picture.tsx";
import prose from "../../components/prose.module.css";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { organization, pageMeta, shareImageOf } from "../../document/page-meta.ts";
import { useWords, wordsAt } from "../../words.ts";
import { NoticePage } from "../errors/error-page.tsx";
import type { Route } from "./+types/blog-post-page";
import styles from "./blog-post-page.module.css";
import letters from "./letters.module.css";
import { categoryColours, PostMeta } from "./post-meta.tsx";
import { fromAll, listPath, listsOf, placeInList, postLists, postPath } from "./posts.ts";

export const handle: PageHandle = {
  keptAs: ({ pathname }) => {
    const post = postLists.findPost(pathname.slice(`${paths.blog}/`.length));
    // All missing posts share one cache entry.
    return post ? paths.post(post.id) : `${paths.blog}/unknown`;
  },
};

export function meta({ matches, location, loaderData: post }: Route.MetaArgs) {
  const words = wordsAt(location);
  const { blog } = words.interface;
  if (!post) {
    return [
      { title: `${blog.notFoundTitle} · ${words.settings.product}` },
      { name: "robots", content: "noindex" },
    ];
  }
  const { publicUrl } = matches[0].loaderData;
  const path = paths.post(post.id);
  const image = `post-${post.id}`;
  return pageMeta(words, {
    title: post.title,
    description: post.excerpt,
    path,
    publicUrl,
    image,
    noIndex: !post.listed,
    article: {
      published: post.isoDate,
      author: post.author,
      section: blog.categories[post.category],
    },
    jsonLd: [
      {
        "@type": "BlogPosting",
        headline: post.title,
        description: post.excerpt,
        image: publicUrl + shareImageOf(words, image),
        datePublished: post.isoDate,
        articleSection: blog.categories[post.category],
        wordCount: post.words,
        inLanguage: post.language ?? words.settings.language,
        mainEntityOfPage: publicUrl + words.to(path),
        author: { "@type": "Person", name: post.author },
        publisher: organization(words, publicUrl),
      },
    ],
    trail: [
      { name: blog.title, path: paths.blog },
      { name: post.title, path },
    ],
  });
}

export function loader({ params, request }: Route.LoaderArgs) {
  const words = wordsAt(new URL(request.url));
  const post = listsOf(words).findPost(params.id);
  if (!post) return data(undefined, { status: 404 });
  const text = readPostText(post.id, words.settings.language);
  const picture = pictures[`post-${post.picture}`];
  return data({ ...post, html: picture ? showPortraits(text, picture) : text });
}

export default function BlogPostPage({ loaderData: post }: Route.ComponentProps) {
  const { interface: labels, inLanguage, to, say } = useWords();
  const { blog } = labels;
  if (!post) {
    return (
      <NoticePage picture="lost-page" title={blog.notFoundTitle} text={blog.notFoundText}>
        <ButtonLink href={to(paths.blog)} variant="primary">
          {blog.notFoundButton}
        </ButtonLink>
      </NoticePage>
    );
  }
  return (
    <>
      <article className={categoryColours(post.category)}>
        <header className={`masthead ${fringe.fringe} ${styles.masthead}`}>
          <div className={`page-width stack ${styles.opening}`}>
            <p className={styles.back}>
              {/* Links back to this post's card in the list that the visitor came from. A URL
                  fragment marks visits from the list of all posts; otherwise, the link leads to the
                  post's category. The server stores nothing and sees only one URL per post. */}
              <span id={fromAll} className={styles.backToAll}>
                <ButtonLink href={to(placeInList(post, allCategories))}>
                  {blog.backToBlog}
                </ButtonLink>
              </span>
              <span className={styles.backToCategory}>
                <ButtonLink href={to(placeInList(post, post.category))}>
                  {blog.backToBlog}
                </ButtonLink>
              </span>
            </p>
            <div className={styles.picture}>
              <Picture name={`post-${post.picture}`} alt={post.imageAlt} eager />
            </div>
            <div className={`stack ${styles.title}`}>
              <PostMeta post={post}>
                {post.category === allCategories ? null : (
                  <span>
                    <a href={to(listPath(post.category))}>
                      <Text>{blog.categories[post.category]}</Text>
                    </a>
                  </span>
                )}
                <span>
                  <Text>{say(blog.by, { author: post.author })}</Text>
                </span>
              </PostMeta>
              {post.language ? <NotTranslated language={post.language} /> : null}
              <h1 {...inLanguage(post.language)}>
                <Text>{post.title}</Text>
              </h1>
              <p className={styles.standfirst} {...inLanguage(post.language)}>
                <Text>{post.standfirst ?? post.excerpt}</Text>
              </p>
            </div>
          </div>
        </header>
        <div className={`page-width ${styles.reading}`}>
          <div
            className={`${prose.prose} ${styles.text} ${letters.text} ${checklist.text}`}
            {...inLanguage(post.language)}
            dangerouslySetInnerHTML={{ __html: post.html }}
          />
        </div>
      </article>
      <Neighbours post={post} />
      <Related post={post} />
    </>
  );
}

/** Renders links to the previous and the next post, drawn as signposts. */
function Neighbours({ post }: { post: PostListing }) {
  const words = useWords();
  const { to } = words;
  const { blog } = words.interface;
  const { previous, next } = listsOf(words).neighbours(post);
  if (!previous && !next) return null;
  return (
    <nav
      className={`page-width stack ${styles.signs}`}
      aria-label={`${blog.previous}, ${blog.next}`}
    >
      {previous ? (
        <a href={to(postPath(previous, allCategories))} rel="prev" className={styles.previous}>
          <span>
            <Text>{blog.previous}</Text>
          </span>{" "}
          <strong>
            <Text>{previous.title}</Text>
          </strong>
        </a>
      ) : null}
      {next ? (
        <a href={to(postPath(next, allCategories))} rel="next" className={styles.next}>
          <span>
            <Text>{blog.next}</Text>
          </span>{" "}
          <strong>
            <Text>{next.title}</Text>
          </strong>
        </a>
      ) : null}
    </nav>
  );
}

function Related({ post }: { post: PostListing }) {
  const words = useWords();
  const related = listsOf(words).related(post);
  if (related.length === 0) return null;
  return (
    <section className={styles.related} data-field="sky" aria-labelledby="read-next">
      <div className="page-width">
        <h2 id="read-next">
          <Text>{words.interface.blog.related}</Text>
        </h2>
        <ul className="stack">
          {related.map((other) => (
            <li key={other.id} className={categoryColours(other.category)}>
              <div className={`${styles.thumbnail} ${fringe.fringe}`}>
                <Picture name={`post-${other.picture}`} alt="" />
              </div>
              <div>
                <h3>
                  <a className="covers" href={words.to(postPath(other, other.category))}>
                    <Text>{other.title}</Text>
                  </a>
                </h3>
                <PostMeta post={other} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
