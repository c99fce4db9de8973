/** A bucket's key and its limit of points per window. */
export type Share = { key: string; most: number };

/**
 * Rate limiter with fixed windows. Takes `cost` points from every share, or from no share if any
 * share has no points left. Returns 0 if the points were taken, otherwise the milliseconds until
 * every share has points again. A share's window begins when its first points are spent.
 */
type TokenBucket = (shares: readonly Share[], cost: number) => Promise<number>;

export type CreateBuckets = (options: { name: string; windowMs: number }) => TokenBucket;

/**
 * Maximum number of keys in memory, more than honest clients need. Beyond it, the oldest keys are
 * dropped.
 */
const mostNames = 200_000;

/** Creates an in-memory limiter for a single server. */
export function createBucket(windowMs: number): (...spending: Parameters<TokenBucket>) => number {
  // Ordered by expiry, because all windows have the same length.
  const spent = new Map<string, { points: number; endsMs: number }>();
  return (shares, cost) => {
    const nowMs = performance.now();
    for (const [key, { endsMs }] of spent) {
      if (endsMs > nowMs && spent.size <= mostNames) break;
      spent.delete(key);
    }
    const waits = shares.map(({ key, most }) => {
      const bucket = spent.get(key);
      return bucket && bucket.points >= most ? bucket.endsMs - nowMs : 0;
    });
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return waitMs;
    for (const { key } of shares) {
      spent.getOrInsert(key, { points: 0, endsMs: nowMs + windowMs }).points += cost;
    }
    return 0;
  };
}

export const createLocalBuckets: CreateBuckets = ({ windowMs }) => {
  const spend = createBucket(windowMs);
  return async (shares, cost) => spend(shares, cost);
};

/**
 * Takes points by the database's clock. Locks rows in a fixed order to avoid deadlocks. Looks each
 * share up in a subquery, because for a join PostgreSQL may read the entire table.
 */
export const takeTokens = `
  with share as (select key, most from unnest($1::text[], $2::bigint[]) as share (key, most)),
    clock as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now),
    empty as (select max((select expire - now from limits
      where limits.key = share.key and expire > now and points >= most)) as wait from share, clock),
    spent as (insert into limits (key, points, expire)
      select key, $3::bigint, now + $4::bigint from share, clock, empty where wait is null order by key
      on conflict (key) do update set
        points = excluded.points
          + case when limits.expire > excluded.expire - $4::bigint then limits.points else 0 end,
        expire = case when limits.expire > excluded.expire - $4::bigint
          then limits.expire else excluded.expire end)
  select coalesce(wait, 0) as wait from empty`;

/**
 * Creates limiters that all servers share through one table. While the table is unavailable, each
 * server counts in its own memory.
 */
export function createSharedBuckets(
  take: (values: unknown[]) => Promise<{ wait?: unknown }[]>,
): CreateBuckets {
  return ({ name, windowMs }) => {
    const alone = createBucket(windowMs);
    return async (shares, cost) => {
      const keys = shares.map(({ key }) => `${name}:${key}`);
      const values = [keys, shares.map(({ most }) => most), cost, windowMs];
      try {
        return Number((await take(values))[0]?.wait);
      } catch {
        return alone(shares, cost);
      }
    };
  };
}
