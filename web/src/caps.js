// Where a plane clips a closed body: a lid, so that one does not look into a hollow shell, of the body's colour, or with the values of a
// field where it is known what is inside.
// A pixel shows the lid where its ray has left the body more often than it has entered it, which the stencil counts.

import {
  AlwaysStencilFunc, BackSide, DecrementWrapStencilOp, DoubleSide, FrontSide, Group, IncrementWrapStencilOp, Mesh, MeshBasicMaterial,
  NotEqualStencilFunc, PlaneGeometry, Vector3, ZeroStencilOp,
} from "three";
import { Section } from "./section.js";

const FORWARDS = new Vector3(0, 0, 1);
const APART = 1e-3; // of the order of drawing, from one body to the next
const BEYOND = [0, 0.7, 4]; // shares of a tet by which a surface that is not made of its faces may lie outside of it

// Whether every edge of the triangles has one on either side.
function closed(triangles) {
  const seen = new Map();
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[i + k], triangles[i + ((k + 1) % 3)]];
      const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      seen.set(key, (seen.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  return triangles.length > 0 && [...seen.values()].every((sum) => sum === 0);
}

function counting(side, operation) {
  const same = { stencilFail: operation, stencilZFail: operation, stencilZPass: operation };
  return new MeshBasicMaterial({ side, colorWrite: false, depthWrite: false, depthTest: false, stencilWrite: true, stencilFunc: AlwaysStencilFunc, ...same });
}

export class Cap {
  // The lid of body number k, whose surface is a mesh of these triangles; null where it is open, as a sheet is.
  // A finer surface is not made of faces of its tets.
  static of(mesh, triangles, k, finer) {
    return closed(triangles) ? new Cap(mesh, k, finer) : null;
  }

  constructor(mesh, k, finer) {
    this.node = new Group();
    this.tets = null; // that fill the body, where they are known
    this.counters = [counting(BackSide, IncrementWrapStencilOp), counting(FrontSide, DecrementWrapStencilOp)];
    for (const material of this.counters) this.node.add(this.part(new Mesh(mesh.geometry, material), APART * (k + 1)));
    // where one of those below has been drawn the next is not
    const once = { side: DoubleSide, stencilWrite: true, stencilRef: 0, stencilFunc: NotEqualStencilFunc, stencilFail: ZeroStencilOp, stencilZFail: ZeroStencilOp, stencilZPass: ZeroStencilOp };
    this.shades = new MeshBasicMaterial({ ...once, toneMapped: false });
    this.sections = (finer ? BEYOND : [0]).map((beyond, i) => {
      const section = new Section(beyond);
      const shown = this.part(new Mesh(section.geometry, this.shades), APART * (k + 1.2 + 0.1 * i));
      shown.visible = false;
      this.node.add(shown);
      return { section, shown };
    });
    this.material = mesh.material.clone();
    Object.assign(this.material, { ...once, map: null, emissiveMap: null, polygonOffset: false, clippingPlanes: null, toneMapped: true });
    this.material.emissive.set(0x000000);
    this.lid = this.part(new Mesh(new PlaneGeometry(1, 1), this.material), APART * (k + 1.5));
    this.lid.onAfterRender = (renderer) => renderer.clearStencil();
    this.node.add(this.lid);
  }

  part(mesh, order) {
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    return mesh;
  }

  clip(plane) {
    this.plane = plane;
    for (const material of this.counters) Object.assign(material, { clippingPlanes: [plane], needsUpdate: true });
    this.lid.quaternion.setFromUnitVectors(FORWARDS, plane.normal.clone().negate());
  }

  // Cover the box of all bodies.
  cover({ low, span }) {
    const half = new Vector3().fromArray(span).multiplyScalar(0.5);
    const middle = new Vector3().fromArray(low).add(half);
    this.plane.projectPoint(middle, this.lid.position);
    this.lid.scale.setScalar(4 * half.length());
  }

  // The values of a field inside: places of the nodes, values and the colours for them; none where they are not known.
  paint(inside, map) {
    if (inside && map && this.shades.map !== map) Object.assign(this.shades, { map, needsUpdate: true });
    const seen = Boolean(inside && map && this.tets?.length);
    const heights = seen ? this.heights(inside.positions) : null;
    for (const { section, shown } of this.sections) {
      shown.visible = seen;
      if (seen) section.update(this.tets, inside.positions, inside.values, heights);
    }
  }

  heights(x) {
    const { normal, constant } = this.plane;
    const found = new Float32Array(x.length / 3);
    for (let i = 0; i < found.length; i++) found[i] = normal.x * x[3 * i] + normal.y * x[3 * i + 1] + normal.z * x[3 * i + 2] + constant;
    return found;
  }

  // The value, 0 … 1, at a point of the plane across an axis; null where there is none.
  value(point, axis) {
    for (const { section, shown } of this.sections) {
      const found = shown.visible ? section.at(point, axis) : null;
      if (found !== null) return found;
    }
    return null;
  }

  dispose() {
    this.node.removeFromParent();
    this.lid.geometry.dispose();
    for (const { section } of this.sections) section.geometry.dispose();
    for (const material of [...this.counters, this.material, this.shades]) material.dispose();
  }
}
