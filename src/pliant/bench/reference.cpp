// Scalar reference of the element gradient, one thread: F = Ds B, first Piola stress, corner forces, gather.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Real = REAL;

struct Mat { Real a[9]; };

static inline Mat cofactor(const Mat& F) {
    const Real* f = F.a;
    return {{f[4] * f[8] - f[5] * f[7], f[5] * f[6] - f[3] * f[8], f[3] * f[7] - f[4] * f[6],
             f[2] * f[7] - f[1] * f[8], f[0] * f[8] - f[2] * f[6], f[1] * f[6] - f[0] * f[7],
             f[1] * f[5] - f[2] * f[4], f[2] * f[3] - f[0] * f[5], f[0] * f[4] - f[1] * f[3]}};
}

static inline Mat stable_neo_hookean(const Mat& F, Real mu, Real lam) {
    Real I = 0;
    for (int i = 0; i < 9; ++i) I += F.a[i] * F.a[i];
    const Mat K = cofactor(F);
    const Real J = F.a[0] * K.a[0] + F.a[1] * K.a[1] + F.a[2] * K.a[2];
    const Real s = mu * I / (I + 1), k = lam * (J - 1) - Real(0.75) * mu;
    Mat P;
    for (int i = 0; i < 9; ++i) P.a[i] = s * F.a[i] + k * K.a[i];
    return P;
}

static inline Mat fixed_corotated(const Mat& F, Real mu, Real lam) {
    Mat R = F;  // scaled Newton iteration for the polar factor, six turns
    for (int turn = 0; turn < 6; ++turn) {
        const Mat K = cofactor(R);
        const Real det = R.a[0] * K.a[0] + R.a[1] * K.a[1] + R.a[2] * K.a[2];
        Real n = 0, k = 0;
        for (int i = 0; i < 9; ++i) { n += R.a[i] * R.a[i]; k += K.a[i] * K.a[i]; }
        const Real g = std::sqrt(std::sqrt(k / n) / std::fabs(det));
        for (int i = 0; i < 9; ++i) R.a[i] = Real(0.5) * (g * R.a[i] + K.a[i] / (g * det));
    }
    const Mat K = cofactor(F);
    const Real J = F.a[0] * K.a[0] + F.a[1] * K.a[1] + F.a[2] * K.a[2];
    Mat P;
    for (int i = 0; i < 9; ++i) P.a[i] = 2 * mu * (F.a[i] - R.a[i]) + lam * (J - 1) * K.a[i];
    return P;
}

int main(int argc, char** argv) {
    const int law = std::atoi(argv[1]), nx = 26, ny = 26, nz = 25;
    auto id = [&](int x, int y, int z) { return (x * (ny + 1) + y) * (nz + 1) + z; };
    const int nodes = (nx + 1) * (ny + 1) * (nz + 1);
    std::vector<Real> X(3 * nodes), x(3 * nodes), out(3 * nodes);
    unsigned seed = 1;
    auto noise = [&] { seed = seed * 1664525u + 1013904223u; return Real(seed >> 8) / Real(1 << 24) - Real(0.5); };
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j)
            for (int k = 0; k <= nz; ++k) {
                const int n = id(i, j, k);
                const Real p[3] = {Real(i) / nx, Real(j) / ny, Real(k) / nz};
                for (int c = 0; c < 3; ++c) { X[3 * n + c] = p[c]; x[3 * n + c] = p[c] + Real(0.01) * noise(); }
            }
    std::vector<int> tet;
    const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                for (auto& o : order) {
                    int at[3] = {i, j, k};
                    tet.push_back(id(at[0], at[1], at[2]));
                    for (int step = 0; step < 3; ++step) { ++at[o[step]]; tet.push_back(id(at[0], at[1], at[2])); }
                }
    const int tets = int(tet.size()) / 4;
    std::vector<Mat> B(tets);
    std::vector<Real> volume(tets), corner(12 * tets);
    for (int e = 0; e < tets; ++e) {
        Mat D;
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) D.a[3 * r + c] = X[3 * tet[4 * e + c] + r] - X[3 * tet[4 * e + 3] + r];
        const Mat K = cofactor(D);
        const Real det = D.a[0] * K.a[0] + D.a[1] * K.a[1] + D.a[2] * K.a[2];
        volume[e] = std::fabs(det) / 6;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) B[e].a[3 * r + c] = K.a[3 * c + r] / det;
    }
    std::vector<int> start(nodes + 1, 0), list(4 * tets);
    for (int i : tet) ++start[i + 1];
    for (int n = 0; n < nodes; ++n) start[n + 1] += start[n];
    std::vector<int> fill(start.begin(), start.end() - 1);
    for (int i = 0; i < 4 * tets; ++i) list[fill[tet[i]]++] = i;
    double best = 1e30;
    for (int turn = 0; turn < 15; ++turn) {
        const auto begin = std::chrono::steady_clock::now();
        for (int e = 0; e < tets; ++e) {
            const int* t = &tet[4 * e];
            Mat D, F;
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r) D.a[3 * r + c] = x[3 * t[c] + r] - x[3 * t[3] + r];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    Real s = 0;
                    for (int k = 0; k < 3; ++k) s += D.a[3 * r + k] * B[e].a[3 * k + c];
                    F.a[3 * r + c] = s;
                }
            const Mat P = law == 0 ? stable_neo_hookean(F, 1000, 2000) : fixed_corotated(F, 1000, 2000);
            Real* f = &corner[12 * e];
            for (int r = 0; r < 3; ++r) {
                Real sum = 0;
                for (int i = 0; i < 3; ++i) {
                    Real s = 0;
                    for (int k = 0; k < 3; ++k) s += P.a[3 * r + k] * B[e].a[3 * i + k];
                    s *= volume[e];
                    f[3 * i + r] = s;
                    sum += s;
                }
                f[9 + r] = -sum;
            }
        }
        for (int n = 0; n < nodes; ++n) {
            Real s[3] = {0, 0, 0};
            for (int i = start[n]; i < start[n + 1]; ++i)
                for (int c = 0; c < 3; ++c) s[c] += corner[3 * list[i] + c];
            for (int c = 0; c < 3; ++c) out[3 * n + c] = s[c];
        }
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        if (ms < best) best = ms;
    }
    double check = 0;
    for (Real v : out) check += double(v) * double(v);
    std::printf("%.6f %.9g\n", best, check);
}
