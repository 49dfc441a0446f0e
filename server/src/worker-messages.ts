/** What a worker and the process that started it tell each other. */

export type FromWorker =
  | { readonly kind: 'listening'; readonly url: string }
  /** Somebody wants the figures of all workers. */
  | { readonly kind: 'scrape'; readonly ask: number }
  /** Its own figures, as it was asked for them. */
  | { readonly kind: 'exposed'; readonly ask: number; readonly text: string }

export type ToWorker =
  | { readonly kind: 'expose'; readonly ask: number }
  | { readonly kind: 'scraped'; readonly ask: number; readonly text: string }

/** Guaranteed by the sender: both ends are this program, and nobody else has the channel. */
export const toFromWorker = (message: unknown) => message as FromWorker
export const toToWorker = (message: unknown) => message as ToWorker
