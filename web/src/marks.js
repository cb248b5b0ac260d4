// What is drawn over bodies: arrows where they touch, and the edges of their elements.

import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, InstancedMesh, LatheGeometry, LineBasicMaterial, LineSegments, Matrix4,
  MeshBasicMaterial, OctahedronGeometry, Quaternion, Vector2, Vector3,
} from "three";

const UP = new Vector3(0, 1, 0);
const MOST = 400; // contacts
const FADES = 0.3; // [s] in which the largest force that was seen is forgotten, of the bodies' own time
const [SHORT, LONG] = [0.35, 1.5]; // of the full length: where the longest arrow is beyond them, that stands for another force
// half the outline of an arrow of length 1 on a ball
const ARROW = [[0, -0.09], [0.07, -0.055], [0.09, 0], [0.07, 0.055], [0.03, 0.08], [0.03, 0.7], [0.1, 0.7], [0, 1]];

// Let go of what an object and those in it hold of the graphics card.
export function release(node) {
  node.traverse((part) => {
    part.dispose?.(); // of many copies of one thing, where each of them is
    part.geometry?.dispose();
    part.material?.dispose();
  });
}

// The least of 1, 2 and 5 times a power of ten that is no less than a value.
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((m) => m * power).find((rounded) => rounded >= value * (1 - 1e-9));
}

// Points where bodies touch obstacles and each other, and the normal forces there, as arrows that are seen through the bodies: as long
// as the force is large, of the length full [m] for as many newtons as stands says.
export class Contacts {
  constructor(size) {
    Object.assign(this, { size, full: 0, stands: 0, peak: 0, time: 0 });
    const material = new MeshBasicMaterial({ color: 0xc0244d, depthTest: false, transparent: true, opacity: 0.85 });
    this.node = new InstancedMesh(new LatheGeometry(ARROW.map(([x, y]) => new Vector2(x, y)), 8), material, MOST);
    this.node.instanceMatrix.setUsage(DynamicDrawUsage);
    this.node.frustumCulled = false;
    this.node.renderOrder = 5;
    this.node.count = 0;
  }

  // contacts: point [m] and force [N], six numbers each, at a time [s]
  update(contacts, time) {
    const count = Math.min(contacts.length / 6, MOST);
    const [at, force, turn, scale, matrix] = [new Vector3(), new Vector3(), new Quaternion(), new Vector3(), new Matrix4()];
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, force.fromArray(contacts, 6 * i + 3).length());
    this.scaleTo(largest, count, time);
    for (let i = 0; i < count; i++) {
      const size = force.fromArray(contacts, 6 * i + 3).length();
      const share = Math.max(size / (this.stands || 1), 0.03); // what hardly presses is seen too
      const wide = 0.55 * this.full * Math.min(Math.max(Math.sqrt(share), 0.5), 1);
      scale.set(wide, this.full * share, wide);
      this.node.setMatrixAt(i, matrix.compose(at.fromArray(contacts, 6 * i), turn.setFromUnitVectors(UP, force.divideScalar(size || 1)), scale));
    }
    this.node.count = count;
    this.node.instanceMatrix.needsUpdate = true;
  }

  // What arrows of the full length stand for: a round number that stays as long as the longest is neither too long nor too short.
  scaleTo(largest, count, time) {
    this.full = 0.2 * this.size * Math.min(1, Math.max(0.5, Math.sqrt(60 / (count || 1)))); // many are smaller
    if (!largest) return;
    this.peak = time < this.time ? largest : Math.max(largest, Math.exp((this.time - time) / FADES) * this.peak); // a blow passes
    this.time = time;
    if (this.peak > LONG * this.stands || this.peak < SHORT * this.stands) this.stands = roundedUp(this.peak);
  }
}

// Where the scene holds bodies: small dots on the vertices that are held.
export class Holds {
  constructor(size, bodies, arrays) {
    this.held = bodies.map((_, k) => arrays[`held:${k}`] ?? []);
    const count = this.held.reduce((sum, some) => sum + some.length, 0);
    this.node = new InstancedMesh(new OctahedronGeometry(0.007 * size, 1), new MeshBasicMaterial({ color: 0xd98a1f }), count);
    this.node.instanceMatrix.setUsage(DynamicDrawUsage);
    this.node.frustumCulled = false;
  }

  update(bodies) {
    const [at, matrix] = [new Vector3(), new Matrix4()];
    let i = 0;
    this.held.forEach((some, k) => {
      for (const vertex of some) {
        if (bodies[k].node.visible) this.node.setMatrixAt(i++, matrix.setPosition(at.fromArray(bodies[k].positions, 3 * vertex)));
      }
    });
    this.node.count = i;
    this.node.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.node.removeFromParent();
    release(this.node);
  }
}

// Edges of elements: which nodes they join comes once, where these are with each frame.
export class Elements {
  constructor({ nodes, pairs }) {
    const geometry = new BufferGeometry();
    this.place = new BufferAttribute(new Float32Array(3 * nodes), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.place);
    geometry.setIndex(new BufferAttribute(pairs, 1));
    this.node = new LineSegments(geometry, new LineBasicMaterial({ color: 0x14283f, transparent: true, opacity: 0.55 }));
    this.node.frustumCulled = this.node.visible = false;
    this.node.renderOrder = 3;
  }

  update(nodes) {
    this.node.visible = nodes?.length === this.place.array.length;
    if (!this.node.visible) return;
    this.place.array.set(nodes);
    this.place.needsUpdate = true;
  }

  dispose() {
    this.node.removeFromParent();
    release(this.node);
  }
}
