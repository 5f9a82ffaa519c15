/** Drawings as files, with the colours that the reader sees. */

const SVG = "http://www.w3.org/2000/svg";
const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight"];
const FONT = "system-ui, 'Noto Sans', 'Liberation Sans', sans-serif";

/** The drawing as a file of its own: what style sheets say of its parts stands in attributes. */
export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const parts = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, place) => {
    const seen = parts[place];
    if (seen === undefined) return;
    const style = getComputedStyle(seen);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "") part.setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "style"]) part.removeAttribute(name);
  });
  const { width, height } = sizeOf(drawing);
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("font-family", FONT);
  copy.removeAttribute("class");
  const paper = document.createElementNS(SVG, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", paperOf(drawing));
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

function sizeOf(drawing: SVGSVGElement): { width: number; height: number } {
  const { width, height } = drawing.viewBox.baseVal;
  return { width, height };
}

function paperOf(drawing: Element): string {
  return getComputedStyle(drawing).getPropertyValue("--paper").trim() || "white";
}

const SHARP = 2; // pixels of the picture for each of the drawing

/**
 * The drawing as a picture: its lines, circles, paths and texts are painted one by one, since the
 * page's policy lets no picture be loaded from memory.
 */
export function painted(drawing: SVGSVGElement): HTMLCanvasElement {
  const { width, height } = sizeOf(drawing);
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARP;
  canvas.height = height * SHARP;
  const context = canvas.getContext("2d");
  if (context === null) return canvas;
  context.scale(SHARP, SHARP);
  context.fillStyle = paperOf(drawing);
  context.fillRect(0, 0, width, height);
  drawing.querySelectorAll("line, circle, path, text").forEach((part) => { paint(context, part); });
  return canvas;
}

function paint(context: CanvasRenderingContext2D, part: Element): void {
  const style = getComputedStyle(part);
  const at = (name: string) => Number(part.getAttribute(name) ?? 0);
  context.globalAlpha = Number(style.opacity);
  context.fillStyle = style.fill === "none" ? "transparent" : style.fill;
  context.strokeStyle = style.stroke === "none" ? "transparent" : style.stroke;
  context.lineWidth = parseFloat(style.strokeWidth) || 1;
  const dashes = style.strokeDasharray.split(/[ ,]+/).map(parseFloat);
  context.setLineDash(dashes.filter((dash) => !Number.isNaN(dash)));
  if (part.tagName === "text") {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const anchor = part.getAttribute("text-anchor");
    context.textAlign = anchor === "end" ? "right" : anchor === "middle" ? "center" : "left";
    context.fillText(part.textContent, at("x"), at("y"));
    return;
  }
  const path = new Path2D(part.getAttribute("d") ?? undefined);
  if (part.tagName === "line") {
    path.moveTo(at("x1"), at("y1"));
    path.lineTo(at("x2"), at("y2"));
  } else if (part.tagName === "circle") {
    path.arc(at("cx"), at("cy"), at("r"), 0, 2 * Math.PI);
  }
  context.fill(path);
  context.stroke(path);
}

/** Hands a file to the reader. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 1000);
}
