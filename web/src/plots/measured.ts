import { useEffect, useRef, useState } from 'preact/hooks'
import { html, type View } from '../parts/html.ts'

type Props = {
  /** What the drawing takes, so that nothing moves when it appears. */
  readonly height: number
  readonly draw: (width: number) => View
}

/** A drawing made for the width it has: a scaled one would scale its text, down to what nobody can read on a phone. */
export function Measured({ height, draw }: Props): View {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      // Hidden behind its table it has no width, and keeps the one it had.
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return html`<div ref=${box} style=${{ height: `${height}px` }}>${width > 0 && draw(width)}</div>`
}
