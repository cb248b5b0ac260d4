// Where a plane clips a closed body: a lid of its colour, so that one does not look into a hollow shell.
// A pixel shows the lid where its ray has left the body more often than it has entered it, which the stencil counts.

import {
  AlwaysStencilFunc, BackSide, DecrementWrapStencilOp, DoubleSide, FrontSide, Group, IncrementWrapStencilOp, Mesh, MeshBasicMaterial,
  NotEqualStencilFunc, PlaneGeometry, Vector3, ZeroStencilOp,
} from "three";

const FORWARDS = new Vector3(0, 0, 1);
const APART = 1e-3; // of the order of drawing, from one body to the next

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
  static of(mesh, triangles, k) {
    return closed(triangles) ? new Cap(mesh, k) : null;
  }

  constructor(mesh, k) {
    this.node = new Group();
    this.counters = [counting(BackSide, IncrementWrapStencilOp), counting(FrontSide, DecrementWrapStencilOp)];
    for (const material of this.counters) this.node.add(this.part(new Mesh(mesh.geometry, material), APART * (k + 1)));
    this.material = mesh.material.clone();
    Object.assign(this.material, {
      side: DoubleSide, map: null, emissiveMap: null, polygonOffset: false, clippingPlanes: null, toneMapped: true, stencilWrite: true, stencilRef: 0,
      stencilFunc: NotEqualStencilFunc, stencilFail: ZeroStencilOp, stencilZFail: ZeroStencilOp, stencilZPass: ZeroStencilOp,
    });
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

  dispose() {
    this.node.removeFromParent();
    this.lid.geometry.dispose();
    for (const material of [...this.counters, this.material]) material.dispose();
  }
}
