/** Messages between a worker and the process that started it. */

export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  /** A worker got a scrape and asks for the metrics of all workers. */
  | { readonly kind: 'scrape'; readonly ask: number }
  /** The worker's own metrics, in answer to a request of the primary. */
  | { readonly kind: 'exposed'; readonly ask: number; readonly text: string }

export type ToWorker =
  | { readonly kind: 'expose'; readonly ask: number }
  | { readonly kind: 'scraped'; readonly ask: number; readonly text: string }

/** The casts hold because both ends of the channel are this program. */
export const toFromWorker = (message: unknown) => message as FromWorker
export const toToWorker = (message: unknown) => message as ToWorker
