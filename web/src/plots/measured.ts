import { useEffect, useRef, useState } from 'preact/hooks'
import { html, type View } from '../parts/html.ts'

type Props = {
  /** The reserved height, so that the layout does not shift. */
  readonly height: number
  readonly draw: (width: number) => View
}

/** Draws for the measured width: scaling the drawing would make its text unreadable on a phone. */
export function Measured({ height, draw }: Props): View {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      // While hidden behind its table it has no width, so the last one is kept.
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return html`<div ref=${box} style=${{ height: `${height}px` }}>${width > 0 && draw(width)}</div>`
}
